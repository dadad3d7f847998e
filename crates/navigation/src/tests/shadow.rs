//! What is kept of a screen, and for how long (SCR-2, PRV-1).

use std::time::Duration;

use luna_messages::ElementId;
use luna_messages::Rect;
use luna_messages::element::{Element, Role};
use luna_messages::element_action::{ActionableElement, CapacitySet};
use luna_messages::image::Picture;

use super::mail;
use crate::screen::ScreenElement;
use crate::shadow::ShadowModel;

// SCR-2, PRV-1
#[test]
fn a_screen_is_known_until_its_time_is_over_scr_2_prv_1() {
    let mut model = ShadowModel::new(Duration::from_secs(10));
    let at = Duration::from_secs(100);
    assert!(model.current(at).is_none());
    model.refresh(mail(), at);
    model.picture(Picture::new(1, 1, vec![1, 2, 3]).unwrap());
    assert!(model.current(at + Duration::from_secs(9)).is_some_and(|known| known.screenshot.is_some()));
    assert!(model.current(at + Duration::from_secs(10)).is_none());
    model.purge(at + Duration::from_secs(10));
    assert!(model.current(at).is_none(), "what is too old is gone, not only hidden");
}

// SCR-2
#[test]
fn a_picture_holds_for_the_very_screen_alone_scr_2() {
    let mut model = ShadowModel::new(Duration::from_secs(60));
    model.refresh(mail(), Duration::ZERO);
    model.picture(Picture::new(1, 1, vec![1, 2, 3]).unwrap());
    let first = model.refresh(mail(), Duration::from_secs(1));
    assert!(first.screenshot.is_some() && first.at == Duration::from_secs(1));
    let (node, instance) = (first.node.clone(), first.instance_hash.clone());
    let mut later = mail();
    later.elements[4].text = "12:05".to_owned();
    let known = model.refresh(later, Duration::from_secs(2));
    assert_eq!(known.node, node);
    assert_ne!(known.instance_hash, instance);
    assert!(known.screenshot.is_none());
    model.forget();
    assert!(model.current(Duration::from_secs(2)).is_none());
}

// PRV-3
#[test]
fn a_protected_field_is_its_label_alone_prv_3() {
    for (role, protected) in [(Role::Protected, false), (Role::Edit, true), (Role::Protected, true)] {
        let mut element = Element::new(ElementId("p".to_owned()), role, "hunter2", Rect::new(0, 0, 10, 10));
        element.label = "Password".to_owned();
        let listed = ActionableElement { element, capacities: CapacitySet::default(), protected };
        let shown = ScreenElement::of_tree(&listed);
        assert!(!format!("{shown:?}").contains("hunter2"));
        assert_eq!((shown.role, shown.name.as_str()), (Role::Protected, "Password"));
    }
}
