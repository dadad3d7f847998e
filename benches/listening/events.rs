//! Luna's events (`GET /events`, as `luna ctl events` shows them), with the time at which each came.

use std::io::{BufRead, BufReader};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::clock::{Seconds, now};
use crate::desktop::LunaProcess;

type TimedEvents = Mutex<Vec<(Seconds, Value)>>;

#[derive(Clone)]
pub struct EventTimes(Arc<(TimedEvents, Condvar)>);

impl EventTimes {
    pub fn follow(luna: &LunaProcess) -> Self {
        let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
        let url = format!("http://{}/events", luna.address);
        let answer = agent.get(url).header("Authorization", format!("Bearer {}", luna.token)).call().unwrap();
        let events = Self(Arc::default());
        let into = events.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(answer.into_body().into_reader()).lines().map_while(Result::ok) {
                let at = now();
                let Ok(event) = serde_json::from_str::<Value>(&line) else { continue };
                into.0.0.lock().unwrap().push((at, event));
                into.0.1.notify_all();
            }
        });
        events
    }

    /// Prints the events since [`Self::clear`], if each round is told.
    pub fn tell(&self, end: Seconds) {
        for (at, event) in self.0.0.lock().unwrap().iter().filter(|_| std::env::var_os("LUNA_BENCH_DETAILS").is_some())
        {
            println!("      {:.0} ms: {event}", (at - end) * 1e3);
        }
    }

    pub fn clear(&self) {
        self.0.0.lock().unwrap().clear();
    }

    /// The time of the first event since [`Self::clear`] of this name whose data fit, and the data.
    pub fn find(&self, name: &str, fits: impl Fn(&Value) -> bool) -> Option<(Seconds, Value)> {
        let events = self.0.0.lock().unwrap();
        let event = events.iter().find(|(_, event)| event["name"] == name && fits(&event["data"]));
        event.map(|(at, event)| (*at, event["data"].clone()))
    }

    /// Waits for such an event, at most so long.
    pub fn wait(&self, name: &str, limit: Duration, fits: impl Fn(&Value) -> bool) -> Option<(Seconds, Value)> {
        let until = now() + limit.as_secs_f64();
        loop {
            if let Some(found) = self.find(name, &fits) {
                return Some(found);
            }
            let left = until - now();
            if left <= 0.0 {
                return None;
            }
            let events = self.0.0.lock().unwrap();
            // Looks again now and then: an event may have come between the two looks.
            drop(self.0.1.wait_timeout(events, Duration::from_secs_f64(left.min(0.05))).unwrap());
        }
    }
}
