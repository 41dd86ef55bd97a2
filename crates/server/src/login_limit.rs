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
    /// Many networks share the limit of an account.
    accounts: FailureLimit<String>,
    /// One network that tries many accounts. People behind one address make more mistakes than one person.
    networks: FailureLimit<Network>,
    /// The same for each IPv6 /48, whose 65,536 networks may be one client.
    sites: FailureLimit<Network>,
}

impl LoginLimits {
    pub(crate) fn new() -> LoginLimits {
        LoginLimits {
            accounts: FailureLimit::new(3, Duration::from_secs(300)),
            networks: FailureLimit::new(20, Duration::from_secs(60)),
            sites: FailureLimit::new(20 * SITE, Duration::from_secs(60)),
        }
    }

    /// Counts an attempt; if it comes too soon, how long to wait. This machine's own programs have the account's limit alone.
    pub(crate) fn attempt(&self, address: IpAddr, login: &str) -> Result<(), Duration> {
        let network = Network::of(address);
        if !network.is_loopback() {
            self.networks.attempt(network)?;
        }
        if let Some(site) = network.site() {
            self.sites.attempt(site).inspect_err(|_| self.networks.uncount(&network))?;
        }
        self.accounts.attempt(login.to_owned()).inspect_err(|_| self.uncount(network))
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
        self.uncount(Network::of(address));
        self.accounts.reset(login);
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
    fn a_network_that_tries_many_accounts_is_slowed_down_and_its_own_account_does_not_help() {
        Simulation::new(1).run(async {
            let limits = LoginLimits::new();
            for number in 0..20 {
                assert_eq!(attempt(&limits, "2001:db8::1", &format!("name {number}")), Ok(()));
            }
            assert_eq!(attempt(&limits, "2001:db8::2", "own"), Err(1), "the same /64");
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
