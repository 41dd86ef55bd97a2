//! Rate limits.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use crate::runtime::Instant;

/// A bucket that fills at a steady rate, and that each request takes one from.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    rate: f64,
    most: f64,
    left: f64,
    filled: Instant,
}

impl Bucket {
    /// So many a second, and `seconds` worth of them at once; 0 for no limit.
    pub(crate) fn new(rate: u32, seconds: u32) -> Bucket {
        let most = f64::from(rate) * f64::from(seconds);
        Bucket { rate: rate.into(), most, left: most, filled: Instant::now() }
    }

    /// Takes one out, if there is one.
    pub(crate) fn take(&mut self) -> bool {
        if self.rate == 0.0 {
            return true;
        }
        let now = Instant::now();
        self.left = (self.left + self.rate * now.duration_since(self.filled).as_secs_f64()).min(self.most);
        self.filled = now;
        if self.left < 1.0 {
            return false;
        }
        self.left -= 1.0;
        true
    }

    fn is_full(&self) -> bool {
        self.left + self.rate * self.filled.elapsed().as_secs_f64() >= self.most
    }
}

/// A bucket for each address.
pub(crate) struct Addresses {
    rate: u32,
    seconds: u32,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

/// With more addresses than this, those that have been quiet are forgotten.
const MANY: usize = 10_000;

impl Addresses {
    pub(crate) fn new(rate: u32, seconds: u32) -> Addresses {
        Addresses { rate, seconds, buckets: Mutex::default() }
    }

    /// Whether an address may ask once more.
    pub(crate) fn take(&self, address: IpAddr) -> bool {
        if self.rate == 0 {
            return true;
        }
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MANY {
            buckets.retain(|_, bucket| !bucket.is_full());
        }
        buckets.entry(network(address)).or_insert_with(|| Bucket::new(self.rate, self.seconds)).take()
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

    #[test]
    fn a_bucket_runs_dry_and_no_rate_is_no_limit() {
        let mut bucket = Bucket::new(1, 3);
        assert_eq!((0..5).filter(|_| bucket.take()).count(), 3);
        let mut open = Bucket::new(0, 1);
        assert!((0..1000).all(|_| open.take()));
    }

    #[test]
    fn addresses_do_not_share_and_networks_do() {
        let addresses = Addresses::new(1, 1);
        let take = |text: &str| addresses.take(text.parse().unwrap());
        assert!(take("10.0.0.1") && !take("10.0.0.1") && take("10.0.0.2"));
        assert!(take("2001:db8::1") && !take("2001:db8::2") && take("2001:db8:0:1::1"));
        assert!(!take("::ffff:10.0.0.2"), "the same address in the other form");
    }
}
