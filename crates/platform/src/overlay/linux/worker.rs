//! The thread that owns the overlay's windows. It waits for orders and events, and for nothing else.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use luna_messages::Rect;
use luna_messages::overlay::{OverlayImage, OverlaySupport};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xfixes::{ConnectionExt as _, SelectionEventMask};
use x11rb::protocol::xproto::{Atom, ConnectionExt as _, Window};

use super::follow::PlaceFollower;
use super::painter::Painter;
use super::surface::Surface;
use crate::PlatformError;
use crate::overlay::orders::{DisplayFailure, OrderInbox, OrderLoop, OverlayOrder, SharedObserver, answer};
use crate::x11::overlay_places::PlaceRegister;
use crate::x11::{Failure, WakeReason, XDisplay, unless_gone, wait};

/// How long a place counts as covered after it was uncovered: a compositing manager takes a frame or two to paint it. Without one the server itself
/// shows at once what is below.
const AFTERGLOW: Duration = Duration::from_millis(150);
/// How often the windows are raised above others while an image is shown, because another program may do the same.
const MAX_RAISES: u32 = 50;

pub(super) struct OverlayWorker {
    display: XDisplay,
    orders: OrderInbox,
    observer: SharedObserver,
    register: PlaceRegister,
    painter: Painter,
    follower: PlaceFollower,
    /// The selection that the compositing manager owns.
    manager: Atom,
    /// What is shown.
    image: Option<Arc<OverlayImage>>,
    /// The places that were uncovered lately, and until when they count as covered.
    afterglow: Vec<(Instant, Vec<Rect>)>,
    raises: u32,
}

impl OverlayWorker {
    pub(super) fn connect(orders: OrderInbox, observer: SharedObserver) -> Result<OrderLoop, PlatformError> {
        let worker = Self::open(XDisplay::open()?, orders, observer).map_err(PlatformError::from)?;
        Ok(Box::new(move || worker.run()))
    }

    fn open(display: XDisplay, orders: OrderInbox, observer: SharedObserver) -> Result<Self, Failure> {
        let surface = Surface::of(&display)?;
        let name = format!("_NET_WM_CM_S{}", display.number());
        let manager = display.connection.intern_atom(false, name.as_bytes())?.reply()?.atom;
        let changes = SelectionEventMask::SET_SELECTION_OWNER
            | SelectionEventMask::SELECTION_WINDOW_DESTROY
            | SelectionEventMask::SELECTION_CLIENT_CLOSE;
        display.connection.xfixes_select_selection_input(display.root, manager, changes)?;
        let register = PlaceRegister::open(&display)?;
        let painter = Painter::new(surface, register.mark);
        let follower = PlaceFollower::new(&display)?;
        let (image, afterglow, raises) = (None, Vec::new(), 0);
        Ok(Self { display, orders, observer, register, painter, follower, manager, image, afterglow, raises })
    }

    fn run(mut self) {
        loop {
            if let Err(failure) = self.take_events().and_then(|()| self.fade()) {
                if matches!(failure, Failure::Lost | Failure::Silent) {
                    tracing::warn!("The display is gone, and with it what was shown on it.");
                    return;
                }
                tracing::warn!(error = %PlatformError::from(failure), "What is shown could not be updated.");
            }
            let now = Instant::now();
            let timeout = self.afterglow.iter().map(|(until, _)| until.saturating_duration_since(now)).min();
            match wait(&self.display.connection, self.orders.waker(), timeout) {
                WakeReason::Stop => {
                    self.orders.waker().clear();
                    if !self.take_orders() {
                        return;
                    }
                }
                WakeReason::Display | WakeReason::Timeout => {}
            }
        }
    }

    /// Carries out what waits. `false` if the thread is to end.
    fn take_orders(&mut self) -> bool {
        loop {
            let order = match self.orders.next() {
                Ok(Some(order)) => order,
                Ok(None) => return true,
                Err(_) => return false,
            };
            let goes_on = match order {
                OverlayOrder::Show { image, reply } => {
                    let shown = self.show(image);
                    answer(reply, shown)
                }
                OverlayOrder::Hide { reply } => {
                    let hidden = self.hide();
                    answer(reply, hidden)
                }
                OverlayOrder::Rearm { reply } => {
                    self.follower.rearm();
                    answer(reply, Ok::<_, Failure>(()))
                }
            };
            if !goes_on {
                return false;
            }
        }
    }

    fn show(&mut self, image: Arc<OverlayImage>) -> Result<OverlaySupport, Failure> {
        self.uncover();
        self.image = Some(Arc::clone(&image));
        self.raises = 0;
        self.register_places()?;
        self.painter.show(&self.display, &image)?;
        let events = self.follower.follow(&self.display, &image.followed)?;
        for event in events {
            self.take(&event)?;
        }
        // Waits until the server has carried out all.
        self.display.connection.get_input_focus()?.reply()?;
        let is_translucent = self.painter.surface.is_translucent;
        Ok(if is_translucent { OverlaySupport::Translucent } else { OverlaySupport::Opaque })
    }

    fn hide(&mut self) -> Result<(), Failure> {
        self.uncover();
        self.image = None;
        self.painter.hide(&self.display)?;
        self.follower.end(&self.display)?;
        self.register_places()?;
        self.display.connection.get_input_focus()?.reply()?;
        Ok(())
    }

    /// What is shown now will be covered no longer.
    fn uncover(&mut self) {
        if let Some(image) = self.image.as_ref().filter(|_| self.painter.surface.is_translucent) {
            self.afterglow.push((Instant::now() + AFTERGLOW, self.painter.places(image)));
        }
    }

    /// Forgets places that were painted again by now.
    fn fade(&mut self) -> Result<(), Failure> {
        let (now, before) = (Instant::now(), self.afterglow.len());
        self.afterglow.retain(|(until, _)| *until > now);
        if self.afterglow.len() == before { Ok(()) } else { self.register_places() }
    }

    fn register_places(&self) -> Result<(), Failure> {
        let shown = self.image.iter().flat_map(|image| self.painter.places(image));
        let places: Vec<Rect> = shown.chain(self.afterglow.iter().flat_map(|(_, places)| places.clone())).collect();
        self.register.set(&self.display, &places)?;
        self.display.connection.flush()?;
        Ok(())
    }

    fn take_events(&mut self) -> Result<(), Failure> {
        while let Some(event) = self.display.connection.poll_for_event()? {
            self.take(&event)?;
        }
        Ok(())
    }

    fn take(&mut self, event: &Event) -> Result<(), Failure> {
        match event {
            Event::XfixesSelectionNotify(change) if change.selection == self.manager => return self.change_surface(),
            Event::ConfigureNotify(one) if self.painter.owns(one.window) => return Ok(()),
            Event::MapNotify(one) if self.painter.owns(one.window) => return Ok(()),
            // A window may have come above.
            Event::ConfigureNotify(_) | Event::MapNotify(_) if self.image.is_some() && self.raises < MAX_RAISES => {
                self.raises += 1;
                self.painter.raise(&self.display)?;
            }
            Event::Error(error) => {
                tracing::debug!(kind = ?error.error_kind, "The display refused a part of what is shown.");
            }
            _ => {}
        }
        let changes = match event {
            // Unlike a move, it does not tell where.
            Event::MapNotify(shown) => {
                self.bounds_of(shown.window)?.map(|bounds| self.follower.configured(shown.window, bounds))
            }
            event => Some(self.follower.changes(event)),
        };
        let changes = changes.unwrap_or_default();
        if let Some(observer) = &*self.observer.lock().unwrap_or_else(PoisonError::into_inner) {
            changes.into_iter().for_each(observer);
        }
        Ok(())
    }

    /// `None` if the window is gone already.
    fn bounds_of(&self, window: Window) -> Result<Option<Rect>, Failure> {
        let geometry = self.display.connection.get_geometry(window)?.reply().map_err(Failure::from);
        Ok(unless_gone(geometry)?.map(|one| Rect::new(one.x.into(), one.y.into(), one.width.into(), one.height.into())))
    }

    /// The compositing manager started or ended: the other kind of window is needed, and a translucent one would be black.
    fn change_surface(&mut self) -> Result<(), Failure> {
        let surface = Surface::of(&self.display)?;
        if surface.is_translucent == self.painter.surface.is_translucent {
            return Ok(());
        }
        tracing::info!(translucent = surface.is_translucent, "The desktop's compositing changed.");
        self.painter.hide(&self.display)?;
        self.painter = Painter::new(surface, self.register.mark);
        if let Some(image) = self.image.clone() {
            self.register_places()?;
            self.painter.show(&self.display, &image)?;
        }
        Ok(())
    }
}

impl DisplayFailure for Failure {
    fn is_lost(&self) -> bool {
        matches!(self, Self::Lost)
    }

    fn is_silent(&self) -> bool {
        matches!(self, Self::Silent)
    }
}
