//! The thread that owns the overlay's surfaces. It waits for orders and for what the compositor tells, and for nothing else.

use std::sync::Arc;

use luna_messages::overlay::{OverlayImage, OverlaySupport};

use super::compositor::{CompositorFailure, CompositorLink};
use super::layer_painter::LayerPainter;
use crate::PlatformError;
use crate::overlay::orders::{OrderInbox, OrderLoop, OverlayOrder, SharedObserver, answer};
use crate::x11::{WakeReason, wait_readable};

pub(super) struct LayerWorker {
    compositor: CompositorLink,
    painter: LayerPainter,
    orders: OrderInbox,
    /// What is shown.
    image: Option<Arc<OverlayImage>>,
}

impl LayerWorker {
    /// Connects. Nothing is ever observed.
    pub(super) fn connect(orders: OrderInbox, _: SharedObserver) -> Result<OrderLoop, PlatformError> {
        let mut compositor = CompositorLink::connect()?;
        let painter = LayerPainter::new(compositor.bind()?);
        let worker = Self { compositor, painter, orders, image: None };
        Ok(Box::new(move || worker.run()))
    }

    fn run(mut self) {
        loop {
            if let Err(failure) = self.follow_monitors() {
                match failure {
                    CompositorFailure::Lost | CompositorFailure::Silent => {
                        tracing::warn!("The compositor is gone, and with it what was shown.");
                        return;
                    }
                    CompositorFailure::Final(error) => {
                        tracing::warn!(%error, "What is shown could not be updated.");
                    }
                }
            }
            let socket = self.compositor.connection().backend();
            match wait_readable(socket.poll_fd(), self.orders.waker(), None) {
                WakeReason::Stop => {
                    self.orders.waker().clear();
                    if !self.take_orders() {
                        return;
                    }
                }
                // The next round tells what is wrong.
                WakeReason::Display => drop(self.compositor.read()),
                WakeReason::Timeout => {}
            }
        }
    }

    /// Takes what the compositor told. If monitors came, went or changed, the image is placed anew.
    fn follow_monitors(&mut self) -> Result<(), CompositorFailure> {
        self.compositor.dispatch()?;
        // They may change again while the image is placed.
        while std::mem::take(&mut self.compositor.state.is_changed) {
            if let Some(image) = &self.image {
                tracing::debug!("The monitors changed.");
                self.painter.show(&mut self.compositor, image)?;
            }
        }
        Ok(())
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
                    answer(reply, shown.map(|()| OverlaySupport::Translucent))
                }
                OverlayOrder::Hide { reply } => {
                    self.image = None;
                    let hidden = self.painter.hide(&mut self.compositor);
                    answer(reply, hidden)
                }
                OverlayOrder::Rearm { reply } => answer(reply, Ok::<_, CompositorFailure>(())),
            };
            if !goes_on {
                return false;
            }
        }
    }

    fn show(&mut self, image: Arc<OverlayImage>) -> Result<(), CompositorFailure> {
        // Monitors may have changed since the thread last waited.
        self.compositor.dispatch()?;
        self.image = Some(Arc::clone(&image));
        self.painter.show(&mut self.compositor, &image)
    }
}
