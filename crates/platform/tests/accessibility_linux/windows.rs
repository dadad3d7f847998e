//! Whose a window is, and what surrounds it: processes, equal titles, title bars (SES-4, ANN-4).

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, CreateWindowAux, PropMode, WindowClass};
use x11rb::wrapper::ConnectionExt as _;

use super::*;

/// Lets a window state a process number, as programs in a sandbox do.
fn state_process(window: u64, process: u32) {
    let (connection, _) = x11rb::connect(None).unwrap();
    let property = connection.intern_atom(false, b"_NET_WM_PID").unwrap().reply().unwrap().atom;
    let window = u32::try_from(window).unwrap();
    connection.change_property32(PropMode::REPLACE, window, property, AtomEnum::CARDINAL, &[process]).unwrap();
    connection.sync().unwrap();
}

// SES-4
#[tokio::test(flavor = "multi_thread")]
async fn windows_that_state_the_same_process_are_not_mixed_up_ses_4() {
    let _desk = desk().await;
    let three = SampleApp::start("gtk3_sample.py", "Twins 쌍둥이", Point::new(20, 20));
    let four = SampleApp::start("gtk4_sample.py", "Twins 쌍둥이", Point::new(1000, 150));
    let (label_3, label_4) = (three.place("label_en").center(), four.place("label_en").center());
    let seeing = AtSpi::new();
    for stated in [2, four.child.id()] {
        for label in [label_3, label_4] {
            let window = seeing.window_at(label).await.unwrap().unwrap();
            state_process(window.handle, stated);
        }
        let tree = AtSpi::new();
        for (sample, label, text) in [
            (&three, label_3, "The quick brown fox jumps over the lazy dog."),
            (&four, label_4, "The five boxing wizards jump quickly."),
        ] {
            protected::on_the_bus(&tree, label).await;
            assert_eq!(tree.window_at(label).await.unwrap().unwrap().process, sample.child.id());
            assert_eq!(element(&tree, text, label).await.text, text, "stated: {stated}");
        }
    }
}

// ANN-4
#[tokio::test(flavor = "multi_thread")]
async fn a_title_bar_reads_the_title_ann_4() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Title 제목", Point::new(60, 60));
    let tree = AtSpi::new();
    let menu = sample.place("menu_file");
    let bar = Point::new(menu.x + 300, menu.y - 8);
    let title = element(&tree, "title", bar).await;
    assert_eq!((title.role, title.text.as_str()), (Role::Window, "Title 제목"));
    assert!(title.bbox.contains(bar) && title.bbox.bottom() <= menu.y, "{title:?}");
    // Below it begins the window's own content, and beyond its border there is none.
    assert_eq!(element(&tree, "menu", menu.center()).await.role, Role::Menu);
    assert_eq!(pick(&tree, Point::new(menu.x + 300, menu.y - 40)).await, Ok(AtPoint::NoWindow));
}

// SES-4
#[tokio::test(flavor = "multi_thread")]
async fn a_window_without_a_tree_is_not_taken_for_one_of_a_program_that_it_started_ses_4() {
    let _desk = desk().await;
    // As a terminal from which a program was started: this process has no tree, and the sample is its child.
    let sample = SampleApp::start("gtk3_sample.py", "Started 시작됨", Point::new(60, 60));
    let tree = AtSpi::new();
    let label = sample.place("label_en").center();
    protected::on_the_bus(&tree, label).await;
    let bounds = tree.window_at(label).await.unwrap().unwrap().bounds;
    let (connection, screen) = x11rb::connect(None).unwrap();
    let (id, root) = (connection.generate_id().unwrap(), connection.setup().roots[screen].root);
    let (x, y) = (bounds.x.try_into().unwrap(), bounds.y.try_into().unwrap());
    let (width, height) = (bounds.width.try_into().unwrap(), bounds.height.try_into().unwrap());
    let look = CreateWindowAux::new().override_redirect(1);
    connection.create_window(0, id, root, x, y, width, height, 0, WindowClass::INPUT_OUTPUT, 0, &look).unwrap();
    connection.map_window(id).unwrap();
    // Terminals have the titles of others, too.
    for title in ["Started from here", "Started 시작됨"] {
        let utf8 = connection.intern_atom(false, b"UTF8_STRING").unwrap().reply().unwrap().atom;
        connection.change_property8(PropMode::REPLACE, id, AtomEnum::WM_NAME, utf8, title.as_bytes()).unwrap();
        connection.sync().unwrap();
        // A new connection knows nothing yet.
        let found = pick(&AtSpi::new(), label).await;
        let Ok(AtPoint::NoText { window, .. }) = found else { panic!("{title}: {found:?}") };
        assert_eq!((window.title.as_str(), window.process), (title, std::process::id()));
        assert_eq!(window.handle, u64::from(id));
    }
    connection.destroy_window(id).unwrap();
    connection.sync().unwrap();
}
