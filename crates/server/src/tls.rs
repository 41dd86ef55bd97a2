//! HTTPS without a proxy: the certificate that a folder holds, or one that the server makes for itself.

use std::fmt::{self, Write as _};
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rcgen::{CertificateParams, KeyPair};

use sha2::{Digest, Sha256};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::runtime;

const CERTIFICATE: &str = "certificate.pem";
const KEY: &str = "key.pem";

/// How long a certificate of ours is valid: as long as Apple's devices accept one that its owner has chosen to trust.
const VALID: Duration = Duration::from_hours(825 * 24);

/// A certificate of ours with less than this left is made again when the server starts.
const TOO_SHORT: Duration = Duration::from_hours(30 * 24);

/// Begins the line before a certificate of ours; what follows is the second since 1970 at which it ends. Readers of PEM
/// pass over such a line.
const OURS: &str = "Made by fourfold serve --tls. Valid until, in seconds since 1970: ";

/// What the server proves itself with.
#[derive(Clone)]
pub(crate) struct Tls {
    pub(crate) acceptor: TlsAcceptor,
    /// SHA-256 of the certificate, as browsers show it.
    pub(crate) fingerprint: String,
}

/// Why a folder's certificate cannot be used.
#[derive(Debug)]
pub struct TlsError {
    path: PathBuf,
    problem: String,
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for TlsError {}

fn failed<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> TlsError {
    let path = path.to_owned();
    move |error| TlsError { path, problem: error.to_string() }
}

impl Tls {
    /// Reads `certificate.pem` and `key.pem`. A folder without either gets a new pair for these names; a folder with one
    /// of them is refused, so that no key of the owner's is written over. A certificate of ours that soon ends is replaced.
    pub(crate) fn open(folder: &Path, names: Vec<String>) -> Result<Tls, TlsError> {
        Tls::open_at(folder, names, Duration::from_millis(u64::try_from(runtime::wall()).unwrap_or_default()))
    }

    /// The same at a time since 1970.
    fn open_at(folder: &Path, names: Vec<String>, now: Duration) -> Result<Tls, TlsError> {
        let (certificate, key) = (folder.join(CERTIFICATE), folder.join(KEY));
        if !certificate.exists() && !key.exists() {
            fs::create_dir_all(folder).map_err(failed(folder))?;
            let made = KeyPair::generate().map_err(failed(&key))?;
            write_private(&key, &made.serialize_pem())?;
            certify(&certificate, &made, names, now)?;
        } else if end_of_ours(&certificate).is_some_and(|end| end < now + TOO_SHORT) {
            let text = fs::read_to_string(&key).map_err(failed(&key))?;
            certify(&certificate, &KeyPair::from_pem(&text).map_err(failed(&key))?, names, now)?;
        }
        Tls::read(folder)
    }

    fn read(folder: &Path) -> Result<Tls, TlsError> {
        let (certificate, key) = (folder.join(CERTIFICATE), folder.join(KEY));
        let chain: Vec<CertificateDer<'static>> =
            CertificateDer::pem_file_iter(&certificate).and_then(Iterator::collect).map_err(failed(&certificate))?;
        let first = chain.first().ok_or("holds no certificate").map_err(failed(&certificate))?;
        let fingerprint = fingerprint(first);
        let private = PrivateKeyDer::from_pem_file(&key).map_err(failed(&key))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(failed(folder))?
            .with_no_client_auth()
            .with_single_cert(chain, private)
            .map_err(failed(folder))?;
        Ok(Tls { acceptor: TlsAcceptor::from(Arc::new(config)), fingerprint })
    }
}

/// Whether the certificate in a folder can be used; a folder without one can, because the server makes it.
pub fn check_certificate(folder: &Path) -> Result<(), TlsError> {
    let is_made_later = !folder.join(CERTIFICATE).exists() && !folder.join(KEY).exists();
    if is_made_later { Ok(()) } else { Tls::read(folder).map(drop) }
}

/// Whether a server at this address speaks TLS. Its certificate may be its own, which no authority vouches for.
pub async fn speaks_tls(address: SocketAddr) -> io::Result<()> {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    let stream = tokio::net::TcpStream::connect(address).await?;
    let name = ServerName::from(address.ip());
    match TlsConnector::from(Arc::new(config)).connect(name, stream).await {
        Ok(_) => Ok(()),
        // It has sent a certificate, so it is there.
        Err(error)
            if error
                .get_ref()
                .is_some_and(|error| matches!(error.downcast_ref(), Some(rustls::Error::InvalidCertificate(_)))) =>
        {
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// When a certificate that the server made itself ends; none for one of the owner's.
fn end_of_ours(certificate: &Path) -> Option<Duration> {
    let text = fs::read_to_string(certificate).ok()?;
    text.lines().next()?.strip_prefix(OURS)?.parse().ok().map(Duration::from_secs)
}

/// Writes a certificate signed with its own key, which browsers ask about once.
fn certify(file: &Path, key: &KeyPair, names: Vec<String>, now: Duration) -> Result<(), TlsError> {
    let mut params = CertificateParams::new(names).map_err(failed(file))?;
    let epoch = rcgen::date_time_ymd(1970, 1, 1);
    // A day earlier: the clock of a phone may be behind.
    params.not_before = epoch + now.saturating_sub(Duration::from_hours(24));
    params.not_after = epoch + now + VALID;
    let certificate = params.self_signed(key).map_err(failed(file))?.pem();
    let text = format!("{OURS}{}\n{certificate}", (now + VALID).as_secs());
    // Renamed, so that a failure never leaves the folder with half a pair.
    let written = file.with_extension("new");
    fs::write(&written, text).and_then(|()| fs::rename(&written, file)).map_err(failed(file))
}

/// Writes a file that only its owner can read.
fn write_private(path: &Path, text: &str) -> Result<(), TlsError> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    file.and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes())).map_err(failed(path))
}

fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(certificate) {
        let colon = if text.is_empty() { "" } else { ":" };
        let _ = write!(text, "{colon}{byte:02X}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_made_once_and_its_key_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = std::env::temp_dir().join(format!("fourfold-tls-{}", std::process::id()));
        let names = vec!["localhost".to_owned(), "192.0.2.7".to_owned()];
        let first = Tls::open(&folder, names.clone()).unwrap();
        let again = Tls::open(&folder, names.clone()).unwrap();
        assert_eq!(first.fingerprint, again.fingerprint);
        assert_eq!(first.fingerprint.len(), 32 * 3 - 1);
        assert_eq!(fs::metadata(folder.join(KEY)).unwrap().permissions().mode() & 0o777, 0o600);
        check_certificate(&folder).unwrap();
        fs::remove_file(folder.join(CERTIFICATE)).unwrap();
        assert!(check_certificate(&folder).is_err());
        let refused = Tls::open(&folder, names.clone()).err().unwrap();
        assert!(refused.to_string().contains(CERTIFICATE), "{refused}");
        fs::write(folder.join(CERTIFICATE), "not a certificate").unwrap();
        assert!(Tls::open(&folder, names).is_err());
        fs::remove_dir_all(&folder).unwrap();
        check_certificate(&folder).unwrap();
    }

    #[test]
    fn a_certificate_of_ours_is_replaced_before_it_ends_and_the_owners_never() {
        let folder = std::env::temp_dir().join(format!("fourfold-tls-renewed-{}", std::process::id()));
        let (names, now) = (vec!["localhost".to_owned()], Duration::from_secs(1_800_000_000));
        let file = folder.join(CERTIFICATE);
        let first = Tls::open_at(&folder, names.clone(), now).unwrap();
        assert_eq!(end_of_ours(&file), Some(now + VALID));
        let key = fs::read_to_string(folder.join(KEY)).unwrap();
        let later = Tls::open_at(&folder, names.clone(), now + VALID - TOO_SHORT).unwrap();
        assert_eq!(first.fingerprint, later.fingerprint);
        let soon = now + VALID - TOO_SHORT + Duration::from_secs(1);
        let renewed = Tls::open_at(&folder, names.clone(), soon).unwrap();
        assert_ne!(first.fingerprint, renewed.fingerprint);
        assert_eq!(end_of_ours(&file), Some(soon + VALID));
        assert_eq!(fs::read_to_string(folder.join(KEY)).unwrap(), key);
        // Without the first line it is the owner's own.
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.split_once('\n').unwrap().1).unwrap();
        let owners = Tls::open_at(&folder, names, soon + VALID * 2).unwrap();
        assert_eq!(owners.fingerprint, renewed.fingerprint);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[tokio::test]
    async fn a_server_with_its_own_certificate_is_recognised_and_one_without_is_not() {
        let folder = std::env::temp_dir().join(format!("fourfold-tls-spoken-{}", std::process::id()));
        let tls = Tls::open(&folder, vec!["localhost".to_owned()]).unwrap();
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let (encrypted, _) = listener.accept().await.unwrap();
            let _ = tls.acceptor.accept(encrypted).await;
            let (plain, _) = listener.accept().await.unwrap();
            drop(plain);
        });
        assert!(speaks_tls(address).await.is_ok());
        assert!(speaks_tls(address).await.is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
