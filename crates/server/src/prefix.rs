//! Ranges of addresses that an operator bans.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// Addresses that share their first bits, such as `192.0.2.0/24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Prefix {
    first: IpAddr,
    bits: u8,
}

/// The shortest prefixes, of IPv4 and IPv6: a shorter one is a mistake, or bans a continent.
const SHORTEST: (u8, u8) = (8, 16);
/// What an address without a length stands for. One client usually controls a whole /64, so no longer prefix of IPv6 is kept.
const WHOLE: (u8, u8) = (32, 64);

impl Prefix {
    /// The prefix of an address that has so many bits.
    pub(crate) fn of(address: IpAddr, bits: u8) -> Prefix {
        let first = match address.to_canonical() {
            IpAddr::V4(four) => IpAddr::from(
                (four.to_bits() & u32::MAX.checked_shl(32 - u32::from(bits.min(32))).unwrap_or(0)).to_be_bytes(),
            ),
            IpAddr::V6(six) => IpAddr::from(
                (six.to_bits() & u128::MAX.checked_shl(128 - u32::from(bits.min(128))).unwrap_or(0)).to_be_bytes(),
            ),
        };
        Prefix { first, bits }
    }

    /// How many bits count.
    pub(crate) fn bits(self) -> u8 {
        self.bits
    }

    /// How it is stored: without its length where that goes without saying, as before there were others.
    pub(crate) fn stored(self) -> String {
        let (_, whole) = Prefix::limits(self.first);
        if self.bits == whole { self.first.to_string() } else { self.to_string() }
    }

    fn limits(address: IpAddr) -> (u8, u8) {
        if address.is_ipv4() { (SHORTEST.0, WHOLE.0) } else { (SHORTEST.1, WHOLE.1) }
    }
}

impl FromStr for Prefix {
    type Err = ();

    /// Reads an address, or one with the number of bits that count.
    fn from_str(text: &str) -> Result<Prefix, ()> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u8>().map_err(|_| ())?)),
            None => (text, None),
        };
        let address = address.parse::<IpAddr>().map_err(|_| ())?.to_canonical();
        let (shortest, whole) = Prefix::limits(address);
        let bits = bits.unwrap_or(whole);
        if bits < shortest || bits > if address.is_ipv4() { 32 } else { 128 } {
            return Err(());
        }
        Ok(Prefix::of(address, bits.min(whole)))
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first {
            IpAddr::V4(address) if self.bits == WHOLE.0 => write!(f, "{address}"),
            address => write!(f, "{address}/{}", self.bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_reads_back_as_it_is_shown() {
        for (text, shown) in [
            ("192.0.2.77", "192.0.2.77"),
            ("192.0.2.77/24", "192.0.2.0/24"),
            ("10.1.2.3/8", "10.0.0.0/8"),
            ("::ffff:192.0.2.77", "192.0.2.77"),
            ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
            ("2001:db8:1:2:3::4/128", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::/48", "2001:db8:1::/48"),
        ] {
            let prefix: Prefix = text.parse().unwrap();
            assert_eq!(prefix.to_string(), shown);
            assert_eq!(shown.parse(), Ok(prefix));
            assert_eq!(prefix.stored().parse(), Ok(prefix));
        }
        for text in ["", "olena", "192.0.2.1/33", "192.0.2.1/7", "0.0.0.0/0", "::/0", "2001:db8::/129", "1.2.3.4/x"] {
            assert_eq!(text.parse::<Prefix>(), Err(()), "{text}");
        }
    }

    #[test]
    fn addresses_with_the_same_first_bits_have_the_same_prefix() {
        let of = |text: &str, bits: u8| Prefix::of(text.parse().unwrap(), bits);
        assert_eq!(of("192.0.2.1", 24), of("192.0.2.255", 24));
        assert_ne!(of("192.0.2.1", 24), of("192.0.3.1", 24));
        assert_ne!(of("192.0.2.1", 32), of("192.0.2.0", 32));
        assert_eq!(of("2001:db8:1::1", 48), of("2001:db8:1:ffff::", 48));
        assert_ne!(of("2001:db8:1::1", 48), of("2001:db8:2::1", 48));
        assert_ne!(of("192.0.2.1", 24), of("192.0.2.1", 25));
    }
}
