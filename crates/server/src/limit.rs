//! Rate limits, on the time of the runtime.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::HashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};

use crate::runtime::Instant;

/// The time of the runtime, so that a simulation's limits go by simulated time.
#[derive(Clone, Debug)]
struct RuntimeClock(Instant);

impl RuntimeClock {
    fn starting_now() -> RuntimeClock {
        RuntimeClock(Instant::now())
    }
}

impl Clock for RuntimeClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.elapsed().into()
    }
}

/// So many a second, and `seconds` worth of them at once; none for no limit.
fn quota(rate: u32, seconds: u32) -> Option<Quota> {
    let burst = NonZeroU32::new(rate.saturating_mul(seconds))?;
    Some(Quota::per_second(NonZeroU32::new(rate)?).allow_burst(burst))
}

/// The limit of one client.
#[derive(Debug)]
pub(crate) struct Limit(Option<RateLimiter<NotKeyed, InMemoryState, RuntimeClock, NoOpMiddleware<Nanos>>>);

impl Limit {
    /// So many a second, and `seconds` worth of them at once; 0 for no limit.
    pub(crate) fn new(rate: u32, seconds: u32) -> Limit {
        Limit(quota(rate, seconds).map(|quota| RateLimiter::direct_with_clock(quota, RuntimeClock::starting_now())))
    }

    /// Counts a request, if it is allowed.
    pub(crate) fn take(&self) -> bool {
        self.0.as_ref().is_none_or(|limiter| limiter.check().is_ok())
    }
}

/// A limit for each address.
pub(crate) struct AddressLimit(
    Option<RateLimiter<IpAddr, HashMapStateStore<IpAddr>, RuntimeClock, NoOpMiddleware<Nanos>>>,
);

/// With more addresses than this, those that have been quiet are forgotten, and new ones share one limit.
const MOST: usize = 10_000;
/// The key of all addresses beyond [`MOST`].
const OTHERS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED);

impl AddressLimit {
    /// The same for every address.
    pub(crate) fn new(rate: u32, seconds: u32) -> AddressLimit {
        let limiter = |quota| RateLimiter::hashmap_with_clock(quota, RuntimeClock::starting_now());
        AddressLimit(quota(rate, seconds).map(limiter))
    }

    /// Counts a request from an address, if it is allowed.
    pub(crate) fn take(&self, address: IpAddr) -> bool {
        let Some(limiter) = &self.0 else { return true };
        if limiter.len() >= MOST {
            limiter.retain_recent();
        }
        let key = if limiter.len() < MOST { network(address) } else { OTHERS };
        limiter.check_key(&key).is_ok()
    }
}

/// Limit IPv6 clients by /64 prefix: one client usually controls a whole prefix.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(six) => match six.to_ipv4_mapped() {
            Some(four) => IpAddr::V4(four),
            None => {
                let [a, b, c, d, ..] = six.segments();
                IpAddr::from([a, b, c, d, 0, 0, 0, 0])
            }
        },
        four => four,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::runtime::{self, simulation::Simulation};

    #[test]
    fn a_limit_is_reached_and_no_rate_is_no_limit() {
        let limit = Limit::new(1, 3);
        assert_eq!((0..5).filter(|_| limit.take()).count(), 3);
        let open = Limit::new(0, 1);
        assert!((0..1000).all(|_| open.take()));
    }

    #[test]
    fn limits_go_by_the_time_of_the_runtime() {
        let allowed = Simulation::new(1).run(async {
            let limit = Limit::new(1, 1);
            let first = (limit.take(), limit.take());
            runtime::sleep(Duration::from_secs(2)).await;
            (first, limit.take())
        });
        assert_eq!(allowed, ((true, false), true));
    }

    #[test]
    fn addresses_do_not_share_and_networks_do() {
        let addresses = AddressLimit::new(1, 1);
        let take = |text: &str| addresses.take(text.parse().unwrap());
        assert!(take("10.0.0.1") && !take("10.0.0.1") && take("10.0.0.2"));
        assert!(take("2001:db8::1") && !take("2001:db8::2") && take("2001:db8:0:1::1"));
        assert!(!take("::ffff:10.0.0.2"), "the same address in the other form");
    }

    #[test]
    fn the_number_of_addresses_is_bounded() {
        let addresses = AddressLimit::new(1, 60);
        for number in 0..30_000_u32 {
            addresses.take(IpAddr::from(number.to_be_bytes()));
        }
        assert!(addresses.0.as_ref().unwrap().len() <= MOST + 1);
    }
}
