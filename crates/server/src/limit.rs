//! Rate limits, on the time of the runtime.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
pub(crate) struct KeyedLimit<K: Clone + Eq + Hash> {
    limiter: Option<RateLimiter<K, HashMapStateStore<K>, RuntimeClock, NoOpMiddleware<Nanos>>>,
    /// When quiet keys were last forgotten.
    swept: Mutex<Option<Instant>>,
}

/// With more keys than this, those that have been quiet are forgotten, and new ones share one limit.
const MOST: usize = 10_000;
/// Quiet keys are looked for no more often than this: with many keys it takes longer than a request.
const SWEEP: Duration = Duration::from_millis(200);

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
        let limiter = quota.map(|quota| RateLimiter::hashmap_with_clock(quota, RuntimeClock::starting_now()));
        KeyedLimit { limiter, swept: Mutex::default() }
    }

    /// Counts a request under a key, if it is allowed.
    pub(crate) fn take(&self, key: K) -> bool {
        let Some(limiter) = &self.limiter else { return true };
        if limiter.len() >= MOST && self.is_time_to_sweep() {
            limiter.retain_recent();
        }
        let key = if limiter.len() < MOST { key } else { K::default() };
        limiter.check_key(&key).is_ok()
    }

    fn is_time_to_sweep(&self) -> bool {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_time = swept.is_none_or(|at| at.elapsed() >= SWEEP);
        if is_time {
            *swept = Some(Instant::now());
        }
        is_time
    }
}

/// How many times what one network may do the /48 around it may do: providers hand out a /48, which has 65,536 networks, to
/// one customer, but some have thousands of customers in one.
pub(crate) const SITE: u32 = 16;

/// A limit for each network of addresses, and a wider one for each IPv6 /48.
pub(crate) struct NetworkLimit {
    networks: KeyedLimit<Network>,
    sites: KeyedLimit<Network>,
}

impl NetworkLimit {
    /// So many a second for each network, and `seconds` worth of them at once; 0 for no limit.
    pub(crate) fn per_second(rate: u32, seconds: u32) -> NetworkLimit {
        let sites = KeyedLimit::per_second(rate.saturating_mul(SITE), seconds);
        NetworkLimit { networks: KeyedLimit::per_second(rate, seconds), sites }
    }

    /// So many a minute for each network, and all of them at once; 0 for no limit.
    pub(crate) fn per_minute(rate: u32) -> NetworkLimit {
        NetworkLimit {
            networks: KeyedLimit::per_minute(rate),
            sites: KeyedLimit::per_minute(rate.saturating_mul(SITE)),
        }
    }

    /// Counts a request of a network, if it is allowed. What its own limit refuses does not count for its neighbours.
    pub(crate) fn take(&self, network: Network) -> bool {
        self.networks.take(network) && network.site().is_none_or(|site| self.sites.take(site))
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

    /// The /48 around a network of IPv6.
    pub(crate) fn site(self) -> Option<Network> {
        match self.0 {
            IpAddr::V6(six) if !six.is_loopback() => {
                let [a, b, c, ..] = six.segments();
                Some(Network(IpAddr::from([a, b, c, 0, 0, 0, 0, 0])))
            }
            _ => None,
        }
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

/// How many things each network has at once, and each IPv6 /48.
#[derive(Debug)]
pub(crate) struct NetworkCounts {
    most: usize,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    networks: HashMap<Network, usize>,
    sites: HashMap<Network, usize>,
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
        let of = |counts: &HashMap<Network, usize>, key: &Network| counts.get(key).copied().unwrap_or(0);
        let at_site = network.site().map_or(0, |site| of(&counts.sites, &site));
        let full = of(&counts.networks, &network) >= self.most || at_site >= self.most.saturating_mul(SITE as usize);
        if self.most > 0 && full && !network.is_loopback() {
            return None;
        }
        *counts.networks.entry(network).or_default() += 1;
        if let Some(site) = network.site() {
            *counts.sites.entry(site).or_default() += 1;
        }
        Some(Counted { counts: self.clone(), network })
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.counts.counts();
        count_down(&mut counts.networks, self.network);
        if let Some(site) = self.network.site() {
            count_down(&mut counts.sites, site);
        }
    }
}

fn count_down(counts: &mut HashMap<Network, usize>, key: Network) {
    if let Some(count) = counts.get_mut(&key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&key);
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
        assert!(addresses.limiter.as_ref().unwrap().len() <= MOST + 1);
    }

    #[test]
    fn all_networks_of_a_site_share_a_wider_limit() {
        let limit = NetworkLimit::per_minute(2);
        let take = |text: &str| limit.take(Network::of(text.parse().unwrap()));
        let from_one_site = (0..100).filter(|number| take(&format!("2001:db8:1:{number:x}::1"))).count();
        assert_eq!(from_one_site, 2 * SITE as usize);
        assert!(take("2001:db8:2::1") && take("10.0.0.1"), "others are not held up");
        // What a network is refused does not count for its neighbours.
        assert_eq!((0..100).filter(|_| take("2001:db8:3::1")).count(), 2);
        assert!(take("2001:db8:3:1::1"));
    }

    #[test]
    fn a_site_has_so_many_at_once() {
        let counts = NetworkCounts::new(2);
        let take = |text: &str| counts.take(Network::of(text.parse().unwrap()));
        let held: Vec<_> = (0..100).filter_map(|number| take(&format!("2001:db8:1:{number:x}::1"))).collect();
        assert_eq!(held.len(), 2 * SITE as usize);
        assert!(take("2001:db8:2::1").is_some());
        drop(held);
        assert!(take("2001:db8:1::1").is_some());
        assert!(counts.counts().sites.is_empty() && counts.counts().networks.is_empty());
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
        assert_eq!((own.len(), counts.counts().networks.len()), (100, 1), "networks without any are forgotten");
    }
}
