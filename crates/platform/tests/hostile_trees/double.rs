//! The application double: a window on the screen, and a tree on the accessibility bus that is generated on request.

use std::collections::HashSet;
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use atspi::zbus::message::{Message, Type};
use atspi::zbus::zvariant::{ObjectPath, OwnedObjectPath, Value};
use atspi::zbus::{self, Connection, MessageStream, connection::Builder};
use futures_util::StreamExt as _;
use luna_messages::Rect;
use serde::Serialize;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, CreateWindowAux, MapState, PropMode, WindowClass};
use x11rb::wrapper::ConnectionExt as _;

/// The requested place of the window, and the minimum size of its content.
pub const WINDOW: Rect = Rect { x: 300, y: 200, width: 900, height: 700 };
/// Size of a cell or line.
const CELL: (i32, i32) = (180, 80);
const MANY: i32 = i32::MAX;
const ROOT: &str = "/org/a11y/atspi/accessible/root";
const NULL: &str = "/org/a11y/atspi/null";
/// Bytes of each answer that is longer than requested. A longer answer would block the bus itself for a while.
const OVERSIZED: usize = 24_000_000;
/// Characters of the long text.
const LONG: i32 = 100_000_000;

const TABLE: u32 = 55;
const CELL_ROLE: u32 = 56;
const PARAGRAPH: u32 = 73;
const PANEL: u32 = 39;
const FRAME: u32 = 23;
const APPLICATION: u32 = 75;
const LIST: u32 = 31;
const LIST_ITEM: u32 = 32;
const LINK: u32 = 88;
const PASSWORD_TEXT: u32 = 40;

static CALLS: AtomicU64 = AtomicU64::new(0);
static ENDLESS: AtomicU64 = AtomicU64::new(0);
static SENT: AtomicU64 = AtomicU64::new(0);
/// The queried paths.
static QUERIED: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Plays the application until it is killed; answers each line on standard input with the cost since the previous line.
pub fn play(tree: &str) {
    let window = show(tree);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let tree = tree.to_owned();
    std::thread::spawn(move || {
        let mut before = processor_time();
        for _ in std::io::stdin().lines().map_while(Result::ok) {
            let [calls, endless, sent] = [&CALLS, &ENDLESS, &SENT].map(|count| count.swap(0, Ordering::Relaxed));
            let now = processor_time();
            let elements = QUERIED.lock().unwrap().take().map_or(0, |paths| paths.len());
            println!("COST {calls} {endless} {sent} {} {elements}", now - before);
            before = now;
        }
        std::process::exit(0);
    });
    runtime.block_on(async move {
        let connection = register().await;
        println!("READY ");
        std::io::stdout().flush().unwrap();
        let double = Double { tree, name: connection.unique_name().unwrap().to_string() };
        let mut messages = MessageStream::from(&connection);
        while let Some(Ok(message)) = messages.next().await {
            if message.message_type() == Type::MethodCall {
                double.answer(&connection, &message).await;
            }
        }
    });
    drop(window);
}

/// Processor time of this process in milliseconds.
fn processor_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let after = stat.rsplit_once(')').unwrap().1;
    let ticks = |index: usize| after.split_whitespace().nth(index).unwrap().parse::<u64>().unwrap();
    (ticks(11) + ticks(12)) * 10
}

/// Shows a window of this process.
fn show(tree: &str) -> x11rb::rust_connection::RustConnection {
    let (connection, screen) = x11rb::connect(None).unwrap();
    let screen = connection.setup().roots[screen].clone();
    let window = connection.generate_id().unwrap();
    let [x, y] = [WINDOW.x, WINDOW.y].map(|number| i16::try_from(number).unwrap());
    let [width, height] = [WINDOW.width, WINDOW.height].map(|number| u16::try_from(number).unwrap());
    let look = CreateWindowAux::new().background_pixel(screen.white_pixel);
    let class = WindowClass::INPUT_OUTPUT;
    connection.create_window(0, window, screen.root, x, y, width, height, 0, class, 0, &look).unwrap();
    let atom = |name: &str| connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
    let title = format!("Application double {tree}");
    let text = atom("UTF8_STRING");
    connection.change_property8(PropMode::REPLACE, window, atom("_NET_WM_NAME"), text, title.as_bytes()).unwrap();
    let process = [std::process::id()];
    let number = AtomEnum::CARDINAL;
    connection.change_property32(PropMode::REPLACE, window, atom("_NET_WM_PID"), number, &process).unwrap();
    // Position (1) and size (2) chosen by the user, so that the window manager does not move it.
    let hints = [1 | 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0_u32];
    let hint = AtomEnum::WM_SIZE_HINTS;
    connection.change_property32(PropMode::REPLACE, window, AtomEnum::WM_NORMAL_HINTS, hint, &hints).unwrap();
    // A window manager that is just starting may miss the request, so repeat it.
    for attempt in 0..400 {
        if attempt % 40 == 0 {
            connection.map_window(window).unwrap();
        }
        let state = connection.get_window_attributes(window).unwrap().reply().unwrap().map_state;
        if state == MapState::VIEWABLE {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(300));
    connection
}

async fn register() -> Connection {
    let session = Connection::session().await.unwrap();
    let request = session.call_method(Some("org.a11y.Bus"), "/org/a11y/bus", Some("org.a11y.Bus"), "GetAddress", &());
    let address: String = request.await.unwrap().body().deserialize().unwrap();
    let connection = Builder::address(address.as_str()).unwrap().build().await.unwrap();
    let own = (connection.unique_name().unwrap().to_string(), ObjectPath::from_static_str_unchecked(ROOT));
    let registry = Some("org.a11y.atspi.Registry");
    let socket = Some("org.a11y.atspi.Socket");
    connection.call_method(registry, ROOT, socket, "Embed", &(own,)).await.unwrap();
    connection
}

/// One element, encoded as the last part of its path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum HostileElement {
    Root,
    Frame,
    /// The element that is special in this tree.
    Body,
    /// A numbered descendant.
    Part(i64),
}

struct Double {
    tree: String,
    name: String,
}

type Reference = (String, OwnedObjectPath);

impl Double {
    fn reference(&self, element: Option<&HostileElement>) -> Reference {
        let path = match element {
            Some(HostileElement::Root) => ROOT.to_owned(),
            Some(HostileElement::Frame) => "/double/frame".to_owned(),
            Some(HostileElement::Body) => "/double/body".to_owned(),
            Some(HostileElement::Part(number)) => format!("/double/{number}"),
            None => NULL.to_owned(),
        };
        let name = if element.is_some() { self.name.clone() } else { String::new() };
        (name, ObjectPath::try_from(path).unwrap().into())
    }

    fn plays(&self, tree: &str) -> bool {
        self.tree == tree
    }

    /// Role, children and box of an element.
    fn appearance(&self, element: &HostileElement) -> (u32, i32, Rect) {
        let inside = Rect::new(WINDOW.x + 10, WINDOW.y + 30, WINDOW.width - 20, WINDOW.height - 40);
        let cell =
            |row: i32, column: i32| Rect::new(inside.x + column * CELL.0, inside.y + row * CELL.1, CELL.0, CELL.1);
        match (element, self.tree.as_str()) {
            (HostileElement::Root, "frames") => (APPLICATION, MANY, Rect::default()),
            (HostileElement::Root, _) => (APPLICATION, 1, Rect::default()),
            (HostileElement::Frame, _) => (FRAME, 1, WINDOW),
            (HostileElement::Body, "sheet" | "unplaced") => (TABLE, MANY, inside),
            (HostileElement::Part(number), "sheet" | "unplaced") => {
                let (row, column) = place(*number);
                (CELL_ROLE, 0, cell(row, column))
            }
            (HostileElement::Body, "siblings") => (LIST, 1_000_000, Rect { height: 20_000_000, ..inside }),
            (HostileElement::Part(number), "siblings") => {
                (LIST_ITEM, 0, Rect { width: inside.width, ..cell(i32::try_from(*number).unwrap(), 0) })
            }
            (HostileElement::Body, "never-home") => (LIST, MANY, inside),
            (HostileElement::Part(_), "never-home") => (LIST_ITEM, 0, inside),
            (HostileElement::Body | HostileElement::Part(_), "endless-hits" | "frames") => (PANEL, 0, inside),
            // Few enough elements that Luna may request positions, and a hundred in each row of pixels.
            (HostileElement::Body, "dense") => (LIST, 100_000, inside),
            (HostileElement::Part(number), "dense") => {
                let row = i32::try_from(*number / DENSE).unwrap();
                (LIST_ITEM, 0, Rect { y: inside.y + row, height: 1, ..inside })
            }
            (HostileElement::Body, "hidden-far-below") => (PANEL, 900, inside),
            (HostileElement::Body | HostileElement::Part(_), "wide") => (PANEL, 900, inside),
            (HostileElement::Part(_), "hidden-far-below") => (PANEL, 4, inside),
            (HostileElement::Body, "more-than-counted") => (PANEL, 3, inside),
            (HostileElement::Body, "long-text" | "objects" | "long-answers" | "nested" | "own-object" | "linked") => {
                (PARAGRAPH, 1, inside)
            }
            // Reachable only through the text in which they are embedded.
            (_, "objects" | "nested" | "linked") => (LINK, 0, inside),
            (HostileElement::Part(2), "hidden-field") => (PASSWORD_TEXT, 0, inside),
            // Cyclic, or endless.
            _ => (PANEL, 1, inside),
        }
    }

    /// The child at an index; the number of a part encodes its place.
    fn child(&self, element: &HostileElement, index: i32) -> HostileElement {
        match (element, self.tree.as_str()) {
            (HostileElement::Root, "frames") if index > 0 => HostileElement::Part(i64::from(index)),
            (HostileElement::Root, _) => HostileElement::Frame,
            (HostileElement::Frame, _) | (HostileElement::Body, "own-child" | "own-object") => HostileElement::Body,
            (HostileElement::Part(1), "cycle") => HostileElement::Body,
            (HostileElement::Part(number), "wide" | "deep" | "hidden-far-below") => {
                HostileElement::Part((number.wrapping_mul(1000).wrapping_add(i64::from(index) + 1)).wrapping_abs())
            }
            (HostileElement::Part(number), _) => HostileElement::Part(number + 1),
            (HostileElement::Body, _) => HostileElement::Part(i64::from(index) + 1),
        }
    }

    fn parent(&self, element: &HostileElement) -> Option<HostileElement> {
        match (element, self.tree.as_str()) {
            (HostileElement::Root, _) => None,
            (HostileElement::Frame, _) => Some(HostileElement::Root),
            // The element is its own parent.
            (HostileElement::Body, "own-child") => Some(HostileElement::Body),
            (HostileElement::Body, _) => Some(HostileElement::Frame),
            (HostileElement::Part(number), "deep") if *number > 1 => Some(HostileElement::Part(number / 1000)),
            (HostileElement::Part(number), "never-home") => Some(HostileElement::Part(number + 1)),
            (HostileElement::Part(_), _) => Some(HostileElement::Body),
        }
    }

    fn at(&self, element: &HostileElement, x: i32, y: i32) -> Option<HostileElement> {
        let (_, _, bbox) = self.appearance(element);
        let (column, row) = ((x - bbox.x) / CELL.0, (y - bbox.y) / CELL.1);
        match (element, self.tree.as_str()) {
            (HostileElement::Frame, _) => Some(HostileElement::Body),
            (HostileElement::Body, "sheet") => Some(HostileElement::Part(number(row, column))),
            (HostileElement::Body, "siblings") => Some(HostileElement::Part(i64::from(row))),
            (HostileElement::Body, "never-home" | "endless-hits") => Some(HostileElement::Part(1)),
            (HostileElement::Part(number), "endless-hits") => Some(HostileElement::Part(number + 1)),
            (HostileElement::Body, "dense") => Some(HostileElement::Part(i64::from(y - bbox.y) * DENSE + 1)),
            _ => None,
        }
    }

    fn text(&self, element: &HostileElement) -> Option<(i32, &'static str)> {
        match (element, self.tree.as_str()) {
            (HostileElement::Body, "long-text" | "long-answers") => Some((LONG, "긴 글 ")),
            (HostileElement::Body | HostileElement::Part(_), "objects") => Some((20_000, "\u{FFFC}")),
            (HostileElement::Body | HostileElement::Part(_), "nested") => Some((1, "\u{FFFC}")),
            (HostileElement::Body, "own-object" | "linked") => Some((3, "가\u{FFFC}나")),
            _ => None,
        }
    }

    async fn answer(&self, connection: &Connection, message: &Message) {
        CALLS.fetch_add(1, Ordering::Relaxed);
        let header = message.header();
        let path = header.path().map(|path| path.to_string()).unwrap_or_default();
        QUERIED.lock().unwrap().get_or_insert_default().insert(path.clone());
        let member = header.member().map(|member| member.to_string()).unwrap_or_default();
        let element = match path.as_str() {
            ROOT => HostileElement::Root,
            "/double/frame" => HostileElement::Frame,
            "/double/body" => HostileElement::Body,
            other => match other.strip_prefix("/double/").and_then(|number| number.parse().ok()) {
                Some(number) => HostileElement::Part(number),
                None => return self.refuse(connection, message).await,
            },
        };
        if self.plays("silent") && !matches!(element, HostileElement::Root | HostileElement::Frame) {
            return;
        }
        if self.plays("hidden-silent") && element == HostileElement::Part(2) {
            return;
        }
        let body = message.body();
        let numbers: Vec<i32> = body
            .deserialize::<(i32, i32)>()
            .map(|(one, other)| vec![one, other])
            .or_else(|_| body.deserialize::<(i32,)>().map(|(one,)| vec![one]))
            .or_else(|_| body.deserialize::<(i32, i32, u32)>().map(|(x, y, _)| vec![x, y]))
            .or_else(|_| body.deserialize::<(i32, u32)>().map(|(one, _)| vec![one]))
            .unwrap_or_default();
        let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
        let (role, count, bbox) = self.appearance(&element);
        let reference_to = |element: Option<&HostileElement>| self.reference(element);
        let is_managed = role == TABLE && self.plays("sheet");
        let long = |text: &str| text.repeat(OVERSIZED / text.len());
        let send = (connection, message);
        match member.as_str() {
            "GetRole" => reply(send, &role).await,
            "GetState" => {
                let is_hidden = self.tree.starts_with("hidden-") && element == HostileElement::Part(1);
                let shown = if is_hidden && !self.plays("hidden-far-below") { 0 } else { 1_u32 << 25 | 1 << 30 };
                reply(send, &vec![1_u32 << 8 | 1 << 24 | shown | u32::from(is_managed) << 31, 0]).await
            }
            "GetExtents" => reply(send, &((bbox.x, bbox.y, bbox.width, bbox.height),)).await,
            "GetInterfaces" => {
                let mut names =
                    vec!["org.a11y.atspi.Accessible", "org.a11y.atspi.Component", "org.a11y.atspi.Collection"];
                if self.text(&element).is_some() {
                    names.extend(["org.a11y.atspi.Text", "org.a11y.atspi.Hypertext"]);
                }
                if role == TABLE {
                    names.push("org.a11y.atspi.Table");
                }
                reply(send, &names).await;
            }
            "GetChildren" if self.plays("more-than-counted") && element == HostileElement::Body => {
                let all: Vec<Reference> =
                    (0..500_000).map(|index| reference_to(Some(&HostileElement::Part(index)))).collect();
                reply(send, &all).await;
            }
            "GetChildren" if count > 2000 => endless(),
            "GetChildren" => {
                let all = (0..count).map(|index| reference_to(Some(&self.child(&element, index))));
                reply(send, &all.collect::<Vec<_>>()).await;
            }
            "GetChildAtIndex" => reply(send, &(reference_to(Some(&self.child(&element, number(0)))),)).await,
            // A toolkit without a better method counts up to the position.
            "GetIndexInParent" if self.plays("siblings") && matches!(element, HostileElement::Part(_)) => endless(),
            "GetIndexInParent" => {
                let index = if let HostileElement::Part(number) = element { number - 1 } else { 0 };
                reply(send, &i32::try_from(index).unwrap_or(-1)).await;
            }
            "GetMatches" | "GetItems" => endless(),
            "GetAccessibleAtPoint" => {
                reply(send, &(reference_to(self.at(&element, number(0), number(1)).as_ref()),)).await
            }
            "GetAccessibleAt" => {
                let cell = HostileElement::Part(self::number(number(0), number(1)));
                reply(send, &(reference_to(Some(&cell)),)).await;
            }
            "GetRowAtIndex" => reply(send, &(number(0) / COLUMNS)).await,
            "GetColumnAtIndex" => reply(send, &(number(0) % COLUMNS)).await,
            "GetText" | "GetStringAtOffset" if self.plays("long-answers") => {
                let text = long("긴 글 ");
                if member == "GetText" { reply(send, &text).await } else { reply(send, &(text, 0, LONG)).await }
            }
            // The whole text is a single line.
            "GetStringAtOffset" if self.plays("long-text") => endless(),
            "GetStringAtOffset" => match self.text(&element) {
                Some((count, unit)) => {
                    let text: String = unit.chars().cycle().take(usize::try_from(count).unwrap()).collect();
                    reply(send, &(text, 0, count)).await;
                }
                None => self.refuse(connection, message).await,
            },
            "GetText" => match self.text(&element) {
                Some((_, unit)) => {
                    let length = usize::try_from(number(1) - number(0)).unwrap_or(0);
                    reply(send, &unit.chars().cycle().take(length).collect::<String>()).await;
                }
                None => self.refuse(connection, message).await,
            },
            "GetOffsetAtPoint" => reply(send, &50_000_000_i32).await,
            "GetLinkIndex" => reply(send, &number(0)).await,
            // Not a child: a link may point anywhere.
            "GetLink" if self.plays("linked") => reply(send, &(reference_to(Some(&HostileElement::Part(7))),)).await,
            "GetLink" => reply(send, &(reference_to(Some(&self.child(&element, number(0)))),)).await,
            "GetObject" => reply(send, &(reference_to(Some(&element)),)).await,
            "Get" => {
                let Ok((_, property)) = body.deserialize::<(String, String)>() else {
                    return self.refuse(connection, message).await;
                };
                let value: Value<'_> = match property.as_str() {
                    "Name" if self.plays("long-answers") && element == HostileElement::Body => long("이름").into(),
                    "Name" => match (&element, self.tree.as_str()) {
                        (HostileElement::Frame, _) => format!("Application double {}", self.tree).into(),
                        (HostileElement::Part(number), "sheet" | "unplaced") => {
                            let (row, column) = place(*number);
                            format!("R{}C{}", row + 1, column + 1).into()
                        }
                        (HostileElement::Part(number), "siblings" | "linked") => format!("Item {number}").into(),
                        _ => "".into(),
                    },
                    "ChildCount" => count.into(),
                    "Parent" => Value::from(reference_to(self.parent(&element).as_ref())),
                    "ToolkitName" => "double".into(),
                    "CharacterCount" => self.text(&element).map_or(0, |(count, _)| count).into(),
                    "NRows" => (1_i32 << 20).into(),
                    "NColumns" => COLUMNS.into(),
                    _ => return self.refuse(connection, message).await,
                };
                reply(send, &value).await;
            }
            _ => self.refuse(connection, message).await,
        }
    }

    async fn refuse(&self, connection: &Connection, message: &Message) {
        let refused = "org.freedesktop.DBus.Error.UnknownMethod";
        let _ = connection.reply_error(&message.header(), refused, &"The double has no such thing.").await;
    }
}

/// Items of the dense list in one row of pixels.
const DENSE: i64 = 100;
/// Columns of the sheet; rows times columns exceed 2³¹.
const COLUMNS: i32 = 16_384;

fn number(row: i32, column: i32) -> i64 {
    i64::from(row) * i64::from(COLUMNS) + i64::from(column) + 1
}

fn place(number: i64) -> (i32, i32) {
    let columns = i64::from(COLUMNS);
    (i32::try_from((number - 1) / columns).unwrap_or(0), i32::try_from((number - 1) % columns).unwrap_or(0))
}

/// Sends no answer: the call would never return in a real application.
fn endless() {
    ENDLESS.fetch_add(1, Ordering::Relaxed);
}

async fn reply<B: Serialize + zbus::zvariant::DynamicType>((connection, message): (&Connection, &Message), body: &B) {
    let Ok(answer) = Message::method_return(&message.header()).unwrap().build(body) else { return };
    SENT.fetch_add(answer.data().len() as u64, Ordering::Relaxed);
    let _ = connection.send(&answer).await;
}
