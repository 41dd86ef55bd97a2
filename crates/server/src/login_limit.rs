//! Limits guesses of passwords: each failure in a row doubles the time until the next attempt.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::limit::{Network, SITE};
use crate::runtime::Instant;

/// With more keys than this, the one that was quiet for longest is forgotten.
const MOST: usize = 10_000;
/// After so long without an attempt, failures are forgotten.
const FORGET: Duration = Duration::from_secs(3600);

/// Limits of logins, by account and by network of addresses. An attempt counts as failed until [`LoginLimits::succeed`]: of
/// many sent at once, none may pass because the others have not failed yet.
pub(crate) struct LoginLimits {
    /// The networks from which the owner of each account has come: there, an attacker elsewhere delays nothing.
    known: KnownNetworks,
    /// The limit of an account for each network that is known.
    from_known: FailureLimit<(String, Network)>,
    /// The limit of an account for requests of its own sessions, wherever they come from: one may be stolen.
    in_session: FailureLimit<String>,
    /// The limit of an account that all other networks share.
    accounts: FailureLimit<String>,
    /// One network that tries many accounts. People behind one address make more mistakes than one person.
    networks: FailureLimit<Network>,
    /// The same for each IPv6 /48, whose 65,536 networks may be one client.
    sites: FailureLimit<Network>,
}

impl LoginLimits {
    pub(crate) fn new() -> LoginLimits {
        LoginLimits {
            known: KnownNetworks::default(),
            from_known: FailureLimit::new(3, Duration::from_secs(300)),
            in_session: FailureLimit::new(3, Duration::from_secs(300)),
            accounts: FailureLimit::new(3, Duration::from_secs(300)),
            networks: FailureLimit::new(20, Duration::from_secs(60)),
            sites: FailureLimit::new(20 * SITE, Duration::from_secs(60)),
        }
    }

    /// Counts an attempt with a password; if it comes too soon, how long to wait. This machine's own programs have the account's
    /// limit alone.
    pub(crate) fn attempt(&self, address: IpAddr, login: &str) -> Result<(), Duration> {
        let network = Network::of(address);
        self.attempt_of_network(network)?;
        let counted = if self.known.has(login, network) {
            self.from_known.attempt((login.to_owned(), network))
        } else {
            self.accounts.attempt(login.to_owned())
        };
        counted.inspect_err(|_| self.uncount(network))
    }

    /// Counts an attempt with a recovery code. Its 80 random bits cannot be guessed, so the account has no delay, and its owner
    /// gets in while a password is being guessed.
    pub(crate) fn attempt_with_code(&self, address: IpAddr) -> Result<(), Duration> {
        self.attempt_of_network(Network::of(address))
    }

    fn attempt_of_network(&self, network: Network) -> Result<(), Duration> {
        if !network.is_loopback() {
            self.networks.attempt(network)?;
        }
        let Some(site) = network.site() else { return Ok(()) };
        self.sites.attempt(site).inspect_err(|_| self.networks.uncount(&network))
    }

    fn uncount(&self, network: Network) {
        self.networks.uncount(&network);
        if let Some(site) = network.site() {
            self.sites.uncount(&site);
        }
    }

    /// The attempt was right: it counts nothing, and the account's failures are forgotten. The network's others stay, or one
    /// account of the attacker's own would let all the others be tried.
    pub(crate) fn succeed(&self, address: IpAddr, login: &str) {
        let network = Network::of(address);
        self.uncount(network);
        if self.known.has(login, network) {
            self.from_known.reset(&(login.to_owned(), network));
        } else {
            self.accounts.reset(login);
        }
        self.known.add(login, network);
    }

    /// Counts a password that a session of the account gives once more; if it comes too soon, how long to wait.
    pub(crate) fn attempt_in_session(&self, login: &str) -> Result<(), Duration> {
        self.in_session.attempt(login.to_owned())
    }

    /// The password was right.
    pub(crate) fn succeed_in_session(&self, login: &str) {
        self.in_session.reset(login);
    }
}

/// The networks from which each account was entered since the server started.
#[derive(Default)]
struct KnownNetworks(Mutex<HashMap<String, Vec<(Network, Instant)>>>);

/// The most networks for one account: the one that was used last longest ago is forgotten.
const MOST_NETWORKS: usize = 8;

impl KnownNetworks {
    fn has(&self, login: &str, network: Network) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(login).is_some_and(|networks| networks.iter().any(|(other, _)| *other == network))
    }

    fn add(&self, login: &str, network: Network) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(login) && known.len() >= MOST {
            let latest = |(_, networks): &(&String, &Vec<(Network, Instant)>)| networks.last().map(|(_, at)| *at);
            let quietest = known.iter().min_by_key(latest).map(|(login, _)| login.clone());
            quietest.map(|login| known.remove(&login));
        }
        let networks = known.entry(login.to_owned()).or_default();
        networks.retain(|(other, _)| *other != network);
        networks.push((network, Instant::now()));
        if networks.len() > MOST_NETWORKS {
            networks.remove(0);
        }
    }
}

/// Failures in a row, by key.
struct FailureLimit<K> {
    /// How many cost no delay.
    free: u32,
    longest: Duration,
    failures: Mutex<HashMap<K, Failures>>,
}

struct Failures {
    in_a_row: u32,
    last: Instant,
}

impl<K: Clone + Eq + Hash> FailureLimit<K> {
    fn new(free: u32, longest: Duration) -> FailureLimit<K> {
        FailureLimit { free, longest, failures: Mutex::default() }
    }

    fn attempt(&self, key: K) -> Result<(), Duration> {
        let now = Instant::now();
        let mut failures = self.failures();
        make_room(&mut failures, now);
        let known = failures.entry(key).or_insert(Failures { in_a_row: 0, last: now });
        let wait = self.delay(known.in_a_row).saturating_sub(now.duration_since(known.last));
        if !wait.is_zero() {
            return Err(wait);
        }
        *known = Failures { in_a_row: known.in_a_row.saturating_add(1), last: now };
        Ok(())
    }

    /// How long to wait after so many failures: 1 s, 2 s, 4 s and so on, once none is free any more.
    fn delay(&self, in_a_row: u32) -> Duration {
        let Some(doublings) = in_a_row.checked_sub(self.free) else { return Duration::ZERO };
        Duration::from_secs(1_u64.checked_shl(doublings).unwrap_or(u64::MAX)).min(self.longest)
    }

    fn uncount<Q: Hash + Eq + ?Sized>(&self, key: &Q)
    where
        K: std::borrow::Borrow<Q>,
    {
        if let Some(known) = self.failures().get_mut(key) {
            known.in_a_row = known.in_a_row.saturating_sub(1);
        }
    }

    fn reset<Q: Hash + Eq + ?Sized>(&self, key: &Q)
    where
        K: std::borrow::Borrow<Q>,
    {
        self.failures().remove(key);
    }

    fn failures(&self) -> std::sync::MutexGuard<'_, HashMap<K, Failures>> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_room<K: Clone + Eq + Hash>(failures: &mut HashMap<K, Failures>, now: Instant) {
    failures.retain(|_, known| now.duration_since(known.last) < FORGET);
    if failures.len() >= MOST {
        let quietest = failures.iter().min_by_key(|(_, known)| known.last).map(|(key, _)| key.clone());
        quietest.map(|key| failures.remove(&key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::{self, simulation::Simulation};

    const ONE: &str = "192.0.2.1";

    fn attempt(limits: &LoginLimits, address: &str, login: &str) -> Result<(), u64> {
        limits.attempt(address.parse().unwrap(), login).map_err(|wait| wait.as_secs())
    }

    #[test]
    fn each_failure_in_a_row_doubles_the_delay_of_its_account() {
        Simulation::new(1).run(async {
            let limits = LoginLimits::new();
            for _ in 0..3 {
                assert_eq!(attempt(&limits, ONE, "olena"), Ok(()));
            }
            for delay in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
                assert_eq!(attempt(&limits, "198.51.100.7", "olena"), Err(delay), "from any address");
                runtime::sleep(Duration::from_secs(delay)).await;
                assert_eq!(attempt(&limits, ONE, "olena"), Ok(()));
            }
            assert_eq!(attempt(&limits, ONE, "taras"), Ok(()), "another account has its own");
            runtime::sleep(FORGET).await;
            for _ in 0..3 {
                assert_eq!(attempt(&limits, ONE, "olena"), Ok(()), "after an hour all is forgotten");
            }
        });
    }

    #[test]
    fn a_right_password_counts_nothing_and_resets() {
        Simulation::new(1).run(async {
            let limits = LoginLimits::new();
            for _ in 0..100 {
                assert_eq!(attempt(&limits, ONE, "olena"), Ok(()));
                limits.succeed(ONE.parse().unwrap(), "olena");
            }
            for _ in 0..2 {
                assert_eq!(attempt(&limits, ONE, "olena"), Ok(()));
            }
            assert_eq!(attempt(&limits, ONE, "olena"), Ok(()));
            limits.succeed(ONE.parse().unwrap(), "olena");
            for _ in 0..3 {
                assert_eq!(attempt(&limits, ONE, "olena"), Ok(()), "as many are free as at first");
            }
            assert_eq!(attempt(&limits, ONE, "olena"), Err(1));
        });
    }

    #[test]
    fn guesses_from_elsewhere_do_not_delay_the_owner_at_a_known_network() {
        Simulation::new(1).run(async {
            let limits = LoginLimits::new();
            limits.succeed(ONE.parse().unwrap(), "olena");
            for _ in 0..3 {
                assert_eq!(attempt(&limits, "198.51.100.7", "olena"), Ok(()));
            }
            assert_eq!(attempt(&limits, "198.51.100.7", "olena"), Err(1));
            assert_eq!(attempt(&limits, ONE, "olena"), Ok(()), "the owner comes in");
            limits.succeed(ONE.parse().unwrap(), "olena");
            assert_eq!(attempt(&limits, "203.0.113.9", "olena"), Err(1), "which does not help the others");
            for _ in 0..3 {
                assert_eq!(attempt(&limits, ONE, "olena"), Ok(()));
            }
            assert_eq!(attempt(&limits, ONE, "olena"), Err(1), "a known network has a limit too");
            assert_eq!(limits.attempt_with_code("203.0.113.9".parse().unwrap()), Ok(()));
            assert_eq!(attempt(&limits, ONE, "taras"), Ok(()), "it is known for one account");
            for _ in 0..3 {
                assert_eq!(limits.attempt_in_session("olena"), Ok(()), "a session has its own");
            }
            assert_eq!(limits.attempt_in_session("olena"), Err(Duration::from_secs(1)));
            limits.succeed_in_session("olena");
            assert_eq!(limits.attempt_in_session("olena"), Ok(()));
        });
    }

    #[test]
    fn few_networks_are_known_for_an_account_and_few_accounts() {
        Simulation::new(1).run(async {
            let known = KnownNetworks::default();
            let network = |number: u32| Network::of(IpAddr::from(number.to_be_bytes()));
            for number in 0..20 {
                known.add("olena", network(number));
                runtime::sleep(Duration::from_secs(1)).await;
            }
            let has = (0..20).filter(|number| known.has("olena", network(*number)));
            assert_eq!(has.collect::<Vec<_>>(), (12..20).collect::<Vec<_>>());
            for number in 0..u32::try_from(MOST).unwrap() {
                runtime::sleep(Duration::from_millis(1)).await;
                known.add(&number.to_string(), network(number));
            }
            assert_eq!(known.0.lock().unwrap().len(), MOST);
            assert!(!known.has("olena", network(19)) && known.has("0", network(0)));
        });
    }

    #[test]
    fn a_network_that_tries_many_accounts_is_slowed_down_and_its_own_account_does_not_help() {
        Simulation::new(1).run(async {
            let limits = LoginLimits::new();
            for number in 0..20 {
                assert_eq!(attempt(&limits, "2001:db8::1", &format!("name {number}")), Ok(()));
            }
            assert_eq!(attempt(&limits, "2001:db8::2", "own"), Err(1), "the same /64");
            let code = limits.attempt_with_code("2001:db8::2".parse().unwrap());
            assert_eq!(code, Err(Duration::from_secs(1)), "codes count as well");
            runtime::sleep(Duration::from_secs(1)).await;
            assert_eq!(attempt(&limits, "2001:db8::2", "own"), Ok(()));
            limits.succeed("2001:db8::2".parse().unwrap(), "own");
            assert_eq!(attempt(&limits, "2001:db8::2", "name 99"), Err(1));
            assert_eq!(attempt(&limits, ONE, "name 99"), Ok(()));
        });
    }

    #[test]
    fn the_networks_of_one_site_share_a_limit() {
        Simulation::new(1).run(async {
            let limits = LoginLimits::new();
            let from = |number: u32| format!("2001:db8:1:{number:x}::1").parse().unwrap();
            let tried = (0..2_000).filter(|&number| limits.attempt(from(number), &format!("name {number}")).is_ok());
            assert_eq!(tried.count(), 20 * SITE as usize, "one guess for each account, from a network of its own");
            assert_eq!(limits.attempt("2001:db8:2::1".parse().unwrap(), "another"), Ok(()));
        });
    }

    #[test]
    fn the_number_of_keys_is_bounded() {
        Simulation::new(1).run(async {
            let limit = FailureLimit::new(1, Duration::from_secs(9));
            for number in 0..u32::try_from(MOST).unwrap() + 50 {
                assert_eq!(limit.attempt(number), Ok(()));
            }
            assert!(limit.failures().len() <= MOST);
        });
    }
}
