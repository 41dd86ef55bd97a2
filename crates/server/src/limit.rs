//! Rate limits, on the time of the runtime.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// A limit for each person, login or network of addresses.
pub(crate) struct KeyedLimit<K: Clone + Eq + Hash>(
    Option<RateLimiter<K, HashMapStateStore<K>, RuntimeClock, NoOpMiddleware<Nanos>>>,
);

/// With more keys than this, those that have been quiet are forgotten, and new ones share one limit.
const MOST: usize = 10_000;

impl<K: Clone + Eq + Hash + Default> KeyedLimit<K> {
    /// So many a second for each key, and `seconds` worth of them at once; 0 for no limit.
    pub(crate) fn per_second(rate: u32, seconds: u32) -> KeyedLimit<K> {
        KeyedLimit::new(quota(rate, seconds))
    }

    /// So many a minute for each key, and all of them at once; 0 for no limit.
    pub(crate) fn per_minute(rate: u32) -> KeyedLimit<K> {
        KeyedLimit::new(NonZeroU32::new(rate).map(Quota::per_minute))
    }

    fn new(quota: Option<Quota>) -> KeyedLimit<K> {
        KeyedLimit(quota.map(|quota| RateLimiter::hashmap_with_clock(quota, RuntimeClock::starting_now())))
    }

    /// Counts a request under a key, if it is allowed.
    pub(crate) fn take(&self, key: K) -> bool {
        let Some(limiter) = &self.0 else { return true };
        if limiter.len() >= MOST {
            limiter.retain_recent();
        }
        let key = if limiter.len() < MOST { key } else { K::default() };
        limiter.check_key(&key).is_ok()
    }
}

/// A network of addresses that is limited as one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Network(IpAddr);

impl Default for Network {
    fn default() -> Network {
        Network(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED))
    }
}

impl Network {
    /// The network of an address.
    pub(crate) fn of(address: IpAddr) -> Network {
        Network(network(address))
    }

    /// Its first address.
    pub(crate) fn address(self) -> IpAddr {
        self.0
    }

    /// Whether it is this machine, where the operator's own programs run.
    pub(crate) fn is_loopback(self) -> bool {
        self.0.is_loopback()
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            IpAddr::V4(address) => write!(f, "{address}"),
            IpAddr::V6(address) => write!(f, "{address}/64"),
        }
    }
}

/// How many things each network has at once.
#[derive(Debug)]
pub(crate) struct NetworkCounts {
    most: usize,
    counts: Mutex<HashMap<Network, usize>>,
}

/// One of the things that count, until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    counts: Arc<NetworkCounts>,
    network: Network,
}

impl NetworkCounts {
    /// So many for each network; 0 for no limit.
    pub(crate) fn new(most: usize) -> Arc<NetworkCounts> {
        Arc::new(NetworkCounts { most, counts: Mutex::default() })
    }

    /// Counts one more, if it is allowed.
    pub(crate) fn take(self: &Arc<Self>, network: Network) -> Option<Counted> {
        let mut counts = self.counts();
        let count = counts.entry(network).or_default();
        if self.most > 0 && *count >= self.most && !network.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Counted { counts: self.clone(), network })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Network, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.counts.counts();
        if let Some(count) = counts.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.network);
            }
        }
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
        let addresses = KeyedLimit::per_second(1, 1);
        let take = |text: &str| addresses.take(Network::of(text.parse().unwrap()));
        assert!(take("10.0.0.1") && !take("10.0.0.1") && take("10.0.0.2"));
        assert!(take("2001:db8::1") && !take("2001:db8::2") && take("2001:db8:0:1::1"));
        assert!(!take("::ffff:10.0.0.2"), "the same address in the other form");
    }

    #[test]
    fn the_number_of_keys_is_bounded() {
        let addresses = KeyedLimit::per_second(1, 60);
        for number in 0..30_000_u32 {
            addresses.take(Network::of(IpAddr::from(number.to_be_bytes())));
        }
        assert!(addresses.0.as_ref().unwrap().len() <= MOST + 1);
    }

    #[test]
    fn a_network_has_so_many_at_once_and_this_machine_any_number() {
        let counts = NetworkCounts::new(2);
        let take = |text: &str| counts.take(Network::of(text.parse().unwrap()));
        let held = (take("2001:db8::1").unwrap(), take("2001:db8::2").unwrap());
        assert!(take("2001:db8::3").is_none() && take("2001:db8:1::3").is_some());
        drop(held);
        assert!(take("2001:db8::3").is_some());
        let own: Vec<_> = (0..100).map(|_| take("127.0.0.1").unwrap()).collect();
        assert_eq!((own.len(), counts.counts().len()), (100, 1), "networks without any are forgotten");
    }
}
