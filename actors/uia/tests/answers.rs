//! What each error of the tree means for the person (PIC-1, PIC-3, PIC-5, KER-6, KER-9). With scripted doubles of the tree.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::Arc;
use std::time::Duration;

use luna_actor_runtime::actor::Actor as _;
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_uia::{SnapshotSettings, UiaActor, UiaDependencies, UiaSettings, pick_once};
use luna_focus::region::RegionRule;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::image::Picture;
use luna_messages::ocr::OcrMessage;
use luna_messages::pick::{Element, PickFailure, PickRequest, Role, RoleSet, SearchedRegion, WindowInfo};
use luna_messages::uia::{LinesRequest, RowsExtent, TextLine, TreeAnswer, UiaMessage, WindowLines};
use luna_messages::{ElementId, NoReply, Point, Rect};
use luna_platform::PlatformError;
use luna_platform::accessibility::fault::{
    AccessibilityFault, FaultyAccessibility, ScriptedAccessibility, protected_field,
};
use luna_platform::accessibility::null::NoAccessibility;
use luna_platform::accessibility::{Accessibility, AtPoint};
use luna_platform::capture::fault::StillCapture;

const WINDOW: Rect = Rect::new(0, 0, 400, 300);

fn window() -> WindowInfo {
    WindowInfo { handle: 7, process: 1, title: "window".into(), bounds: WINDOW }
}

fn element() -> Element {
    Element::new(ElementId("1".into()), Role::Button, "Save", Rect::new(10, 10, 80, 20))
}

/// A window with a button, a protected field and empty space.
fn tree() -> ScriptedAccessibility {
    let field = Rect::new(10, 100, 80, 20);
    let nothing = AtPoint::NoText { window: window(), protected: vec![field] };
    ScriptedAccessibility {
        windows: vec![window()],
        places: vec![
            (Rect::new(10, 10, 80, 20), AtPoint::Element(element())),
            (field, AtPoint::Protected(protected_field(field))),
            (WINDOW, nothing),
        ],
        lines: vec![TextLine { text: "Save".into(), bbox: Rect::new(10, 10, 80, 20) }],
        protected: vec![field],
        ..ScriptedAccessibility::default()
    }
}

/// The region as recognition gets it, in the rows that were searched, with its hidden boxes.
fn searched(chosen: Rect, region: Rect, hidden: Vec<Rect>) -> SearchedRegion {
    SearchedRegion { window: Some(window()), region, chosen, hidden, shown: Vec::new(), covered: None }
}

struct AnswerScene {
    dependencies: UiaDependencies,
    faults: Arc<FaultyAccessibility>,
}

fn scene_on(inner: Arc<dyn Accessibility>, prefer_tree: bool) -> AnswerScene {
    let faults = Arc::new(FaultyAccessibility::new(inner));
    let settings = UiaSettings {
        region: RegionRule { roi_px: 420, whole_screen: false },
        prefer_tree,
        blocked: RoleSet::default(),
    };
    let (ttl, purge_every) = (Duration::from_millis(1500), Duration::from_secs(3));
    let picture = Picture::new(400, 300, vec![255; 3 * 400 * 300]).unwrap();
    let dependencies = UiaDependencies {
        accessibility: faults.clone(),
        capture: BlockingService::new("screen", Duration::from_secs(2), Arc::new(StillCapture::new(picture))),
        ocr: luna_test_support::inbox(),
        capabilities: Capabilities::new(Arc::new(|_, _| {})),
        settings: Arc::new(move || settings),
        snapshots: SnapshotSettings { count: 3, ttl, purge_every },
    };
    AnswerScene { dependencies, faults }
}

fn scene() -> AnswerScene {
    scene_on(Arc::new(tree()), true)
}

async fn ask(scene: &AnswerScene, x: i32, y: i32) -> TreeAnswer {
    pick_once(&scene.dependencies, PickRequest { cursor: Point::new(x, y), enlarge: 1.0 }).await
}

// PIC-1, PIC-5
#[tokio::test]
async fn each_place_has_its_answer_pic_1_pic_5() {
    for (x, y, expect) in [
        (20, 15, TreeAnswer::Found(element())),
        (20, 110, TreeAnswer::Protected(protected_field(Rect::new(10, 100, 80, 20)))),
        (
            200,
            200,
            TreeAnswer::NoText(searched(
                Rect::new(148, 148, 105, 105),
                Rect::new(WINDOW.x, 131, WINDOW.width, 139),
                vec![],
            )),
        ),
        (900, 200, TreeAnswer::Refused(PickFailure::NoWindow)),
    ] {
        assert_eq!(ask(&scene(), x, y).await, expect, "{x},{y}");
    }
}

// ANN-3, OCR-4
#[tokio::test]
async fn rows_come_on_demand_and_are_never_recognised_ann_3_ocr_4() {
    let place = Rect::new(10, 10, 80, 20);
    let row = Element { rows: vec![vec!["a".into()]], ..element() };
    let rows = vec![(place, RowsExtent::Row, AtPoint::Element(row.clone()))];
    let scene = scene_on(Arc::new(ScriptedAccessibility { rows, ..tree() }), true);
    let inbox: Inbox<UiaMessage> = luna_test_support::inbox();
    let context = luna_test_support::context(&inbox);
    let mut actor = UiaActor::new(scene.dependencies.clone());
    for (x, extent, expect) in [
        (20, RowsExtent::Row, TreeAnswer::Found(row)),
        (20, RowsExtent::Container, TreeAnswer::Refused(PickFailure::NoText)),
        (900, RowsExtent::Row, TreeAnswer::Refused(PickFailure::NoWindow)),
    ] {
        let (reply, answer) = luna_test_support::reply();
        let request = PickRequest { cursor: Point::new(x, 15), enlarge: 1.0 };
        actor.handle(UiaMessage::Rows { request, extent, reply }, &context).await.unwrap();
        assert_eq!(answer.await.unwrap(), Ok(expect), "{x} {extent:?}");
    }
}

// PIC-5
#[tokio::test]
async fn where_recognition_is_preferred_the_tree_still_guards_protected_fields_pic_5() {
    let scene = scene_on(Arc::new(tree()), false);
    let field = Rect::new(10, 100, 80, 20);
    assert_eq!(
        ask(&scene, 20, 15).await,
        TreeAnswer::NoText(searched(Rect::new(0, 0, 105, 105), Rect::new(0, 0, WINDOW.width, 122), vec![field]))
    );
    assert_eq!(ask(&scene, 20, 110).await, TreeAnswer::Protected(protected_field(Rect::new(10, 100, 80, 20))));
}

// KER-9
#[tokio::test]
async fn trouble_of_one_application_is_no_trouble_of_the_tree_ker_9() {
    for (error, expect) in
        [(PlatformError::NoAnswer, PickFailure::NoAnswer), (PlatformError::Gone, PickFailure::WindowGone)]
    {
        let scene = scene();
        scene.faults.always(AccessibilityFault::Error(error));
        assert_eq!(ask(&scene, 20, 15).await, TreeAnswer::Refused(expect));
        let state = scene.dependencies.capabilities.get(Capability::Accessibility);
        assert!(!matches!(state, CapabilityState::Unavailable(_)), "{state:?}");
    }
}

// KER-9
#[tokio::test]
async fn without_a_tree_it_is_told_why_ker_9() {
    let scene = scene_on(Arc::new(NoAccessibility), true);
    assert_eq!(ask(&scene, 20, 15).await, TreeAnswer::Refused(PickFailure::Unavailable));
    let state = scene.dependencies.capabilities.get(Capability::Accessibility);
    assert!(matches!(&state, CapabilityState::Unavailable(why) if !why.remedy.is_empty()), "{state:?}");
}

// KER-6
#[tokio::test]
async fn a_newer_pick_replaces_an_older_one_that_hangs_ker_6() {
    let scene = scene();
    scene.faults.order(AccessibilityFault::Never);
    let inbox: Inbox<UiaMessage> = luna_test_support::inbox();
    let context = luna_test_support::context(&inbox);
    let mut actor = UiaActor::new(scene.dependencies.clone());
    let request = PickRequest { cursor: Point::new(20, 15), enlarge: 1.0 };
    let (reply, older) = luna_test_support::reply();
    actor.handle(UiaMessage::Pick { request, reply }, &context).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let (reply, newer) = luna_test_support::reply();
    actor.handle(UiaMessage::Pick { request, reply }, &context).await.unwrap();
    assert_eq!(newer.await.unwrap(), Ok(TreeAnswer::Found(element())));
    assert_eq!(older.await.unwrap(), Err(NoReply::Crashed), "the older caller gets an error");
}

// FOC-4, BUF-1
#[tokio::test]
async fn lines_come_from_the_tree_once_and_from_recognition_where_the_target_did_foc_4_buf_1() {
    let scene = scene();
    let inbox: Inbox<UiaMessage> = luna_test_support::inbox();
    let context = luna_test_support::context(&inbox);
    let mut actor = UiaActor::new(scene.dependencies.clone());
    let request = LinesRequest { cursor: Point::new(20, 15), window: None, part: None, recognised: false };
    for _ in 0..2 {
        let (reply, lines) = luna_test_support::reply();
        actor.handle(UiaMessage::Lines { request: request.clone(), reply }, &context).await.unwrap();
        let lines = lines.await.unwrap().unwrap().unwrap();
        assert_eq!((lines.lines.len(), lines.is_complete, lines.window), (1, true, window()));
    }
    // window_at twice, but the lines themselves only once: the snapshot is fresh.
    assert_eq!(scene.faults.query_count(), 3);
    let (reply, _lines) = luna_test_support::reply();
    actor
        .handle(UiaMessage::Lines { request: LinesRequest { recognised: true, ..request }, reply }, &context)
        .await
        .unwrap();
    let handed_on = luna_test_support::drain_soon(&scene.dependencies.ocr, Duration::from_secs(2)).await;
    assert!(
        matches!(&handed_on[..], [OcrMessage::Lines { searched, .. }] if searched.hidden.len() == 1 && searched.region == WINDOW),
        "{handed_on:?}"
    );
}

async fn lines(actor: &mut UiaActor, request: LinesRequest) -> Result<WindowLines, PickFailure> {
    let inbox: Inbox<UiaMessage> = luna_test_support::inbox();
    let (reply, answer) = luna_test_support::reply();
    let context = luna_test_support::context(&inbox);
    actor.handle(UiaMessage::Lines { request, reply }, &context).await.unwrap();
    answer.await.unwrap().unwrap()
}

const AT_SAVE: LinesRequest =
    LinesRequest { cursor: Point { x: 20, y: 15 }, window: None, part: None, recognised: false };

// BUF-1, BUF-2
#[tokio::test(start_paused = true)]
async fn looking_at_a_snapshot_does_not_renew_it_buf_1_buf_2() {
    let scene = scene();
    let mut actor = UiaActor::new(scene.dependencies.clone());
    // Each question asks for the window; every second one here for the lines, too.
    for (wait, queries) in [(0, 2), (1000, 3), (600, 5), (1000, 6), (600, 8)] {
        tokio::time::sleep(Duration::from_millis(wait)).await;
        lines(&mut actor, AT_SAVE).await.unwrap();
        assert_eq!(scene.faults.query_count(), queries);
    }
    // A part is not in the snapshot, and does not replace it.
    let part = Some(Rect::new(0, 100, 400, 50));
    lines(&mut actor, LinesRequest { part, ..AT_SAVE }).await.unwrap();
    assert_eq!(scene.faults.query_count(), 10);
    lines(&mut actor, AT_SAVE).await.unwrap();
    assert_eq!(scene.faults.query_count(), 11);
}

// FOC-4, SES-5
#[tokio::test]
async fn lines_stay_in_the_window_of_the_target_when_another_one_covers_it_foc_4_ses_5() {
    let scene = scene();
    let mut actor = UiaActor::new(scene.dependencies.clone());
    let covered = WindowInfo { handle: 99, ..window() };
    let named = LinesRequest { window: Some(covered.clone()), ..AT_SAVE };
    let found = lines(&mut actor, named.clone()).await.unwrap();
    assert_eq!(found.window, covered);
    // Nor does no window at the point.
    let elsewhere = LinesRequest { cursor: Point::new(900, 200), ..named.clone() };
    assert_eq!(lines(&mut actor, elsewhere).await.unwrap().window, covered);
    // A picture of it would show what covers it.
    let recognised = LinesRequest { recognised: true, ..named };
    assert_eq!(lines(&mut actor, recognised).await, Err(PickFailure::Changed));
    // A window that has moved is known by its handle.
    let moved = WindowInfo { bounds: Rect::new(5, 5, 10, 10), ..window() };
    let found = lines(&mut actor, LinesRequest { window: Some(moved), ..AT_SAVE }).await.unwrap();
    assert_eq!(found.window, window());
}
