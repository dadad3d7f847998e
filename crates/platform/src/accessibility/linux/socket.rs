//! Connections that reject messages above a size limit: an application determines the length of its answers, and must
//! not determine Luna's memory use.

use std::os::fd::OwnedFd;
use std::time::Duration;

use atspi::zbus::address::transport::{Transport, UnixSocket};
use atspi::zbus::connection::Builder;
use atspi::zbus::connection::socket::{ReadHalf, Socket, Split};
use atspi::zbus::fdo::ConnectionCredentials;
use atspi::zbus::message::Message;
use atspi::zbus::{self, Address, Connection};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

/// Maximum size of a message in bytes. The longest expected answers, 20,000 characters of text and 1,000 children, need
/// about a tenth of it.
const MAX_MESSAGE_BYTES: usize = 1 << 20;
/// Number of leading bytes that determine the length of a message.
const HEADER_BYTES: usize = 16;

/// Connects to a bus, or directly to an application if `peer`.
pub(super) async fn connect(address: &str, peer: bool, limit: Duration) -> zbus::Result<Connection> {
    let address = Address::try_from(address)?;
    let path = match address.transport() {
        Transport::Unix(unix) => match unix.path() {
            UnixSocket::File(path) => Some(path.clone()),
            #[cfg(target_os = "linux")]
            UnixSocket::Abstract(name) => {
                let mut path = std::ffi::OsString::from("\0");
                path.push(name);
                Some(path.into())
            }
            _ => None,
        },
        _ => None,
    };
    let connecting = async {
        let builder = match path {
            Some(path) => Builder::socket(BoundedSocket(UnixStream::connect(path).await.map_err(zbus::Error::from)?)),
            // Desktops use only Unix sockets; other transports have no size limit.
            None => Builder::address(address)?,
        };
        if peer { builder.p2p().build().await } else { builder.build().await }
    };
    let late = || zbus::Error::from(std::io::Error::from(std::io::ErrorKind::TimedOut));
    timeout(limit, connecting).await.unwrap_or_else(|_| Err(late()))
}

/// A socket whose reading half drops messages that are too long.
struct BoundedSocket(UnixStream);

impl Socket for BoundedSocket {
    type ReadHalf = BoundedRead;
    type WriteHalf = OwnedWriteHalf;

    fn split(self) -> Split<BoundedRead, OwnedWriteHalf> {
        let (read, write) = self.0.into_split();
        Split::new(BoundedRead(read), write)
    }
}

/// Drops messages longer than [`MAX_MESSAGE_BYTES`].
#[derive(Debug)]
struct BoundedRead(OwnedReadHalf);

impl BoundedRead {
    /// Extends `bytes` to at least `count` bytes by reading.
    async fn fill(&mut self, bytes: &mut Vec<u8>, count: usize) -> std::io::Result<()> {
        while bytes.len() < count {
            let begin = bytes.len();
            bytes.resize(count, 0);
            let (length, _) = self.0.recvmsg(&mut bytes[begin..]).await?;
            bytes.truncate(begin + length);
            if length == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    }

    /// Discards the next `count` bytes, the first of which are in `early`.
    async fn skip(&mut self, early: &mut Vec<u8>, count: usize) -> std::io::Result<()> {
        let mut left = count - early.drain(..count.min(early.len())).len();
        let mut scrap = vec![0; left.min(1 << 16)];
        while left > 0 {
            let end = left.min(scrap.len());
            let (length, _) = self.0.recvmsg(&mut scrap[..end]).await?;
            if length == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            left -= length;
        }
        Ok(())
    }
}

#[async_trait::async_trait]
impl ReadHalf for BoundedRead {
    async fn receive_message(
        &mut self,
        seq: u64,
        early: &mut Vec<u8>,
        early_descriptors: &mut Vec<OwnedFd>,
    ) -> zbus::Result<Message> {
        loop {
            self.fill(early, HEADER_BYTES).await?;
            let Some(length) = message_length(early) else { return Err(zbus::Error::ExcessData) };
            if length <= MAX_MESSAGE_BYTES {
                return self.0.receive_message(seq, early, early_descriptors).await;
            }
            // The caller that waits for the dropped answer times out.
            tracing::debug!(bytes = length, "An application's answer is too long; it is dropped.");
            self.skip(early, length).await?;
        }
    }

    async fn recvmsg(&mut self, buffer: &mut [u8]) -> std::io::Result<(usize, Vec<OwnedFd>)> {
        self.0.recvmsg(buffer).await
    }

    /// Luna needs no file descriptors of other programs.
    fn can_pass_unix_fd(&self) -> bool {
        false
    }

    async fn peer_credentials(&mut self) -> std::io::Result<ConnectionCredentials> {
        self.0.peer_credentials().await
    }
}

/// Total bytes of the message that begins with `header`; `None` if it is not a message. Pure.
fn message_length(header: &[u8]) -> Option<usize> {
    let number = |at: usize| -> Option<usize> {
        let bytes: [u8; 4] = header.get(at..at + 4)?.try_into().ok()?;
        let number = match header.first()? {
            b'l' => u32::from_le_bytes(bytes),
            b'B' => u32::from_be_bytes(bytes),
            _ => return None,
        };
        usize::try_from(number).ok()
    };
    let (body, fields) = (number(4)?, number(12)?);
    // The fields are padded to eight bytes.
    Some(HEADER_BYTES + fields.next_multiple_of(8) + body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_message_is_in_its_first_bytes() {
        let header = |order: u8, body: [u8; 4], fields: [u8; 4]| {
            [[order, 2, 0, 1].as_slice(), &body, &[1, 0, 0, 0], &fields].concat()
        };
        assert_eq!(message_length(&header(b'l', [10, 0, 0, 0], [9, 0, 0, 0])), Some(16 + 16 + 10));
        assert_eq!(message_length(&header(b'B', [0, 0, 1, 0], [0, 0, 0, 8])), Some(16 + 8 + 256));
        assert_eq!(message_length(&header(b'l', [255; 4], [255; 4])), Some(16 + (1 << 32) + u32::MAX as usize));
        assert_eq!(message_length(&header(b'x', [0; 4], [0; 4])), None);
        assert_eq!(message_length(b"l"), None);
    }

    #[tokio::test]
    async fn a_message_that_is_too_long_is_dropped_and_the_next_is_read_ker_11() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let small = Message::signal("/a", "b.c", "D").unwrap().build(&()).unwrap();
        let large = Message::signal("/a", "b.c", "D").unwrap().build(&"x".repeat(3 * MAX_MESSAGE_BYTES)).unwrap();
        let sent: Vec<u8> = [&small, &large, &small].iter().flat_map(|message| message.data().to_vec()).collect();
        let writer = tokio::spawn(async move {
            let (_read, mut write) = theirs.into_split();
            tokio::io::AsyncWriteExt::write_all(&mut write, &sent).await.unwrap();
        });
        let (read, _write) = ours.into_split();
        let mut read = BoundedRead(read);
        let (mut early, mut descriptors) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            let message = read.receive_message(0, &mut early, &mut descriptors).await.unwrap();
            assert_eq!(message.data().len(), small.data().len());
            assert!(early.capacity() < MAX_MESSAGE_BYTES);
        }
        // The other side closed the connection.
        assert!(read.receive_message(0, &mut early, &mut descriptors).await.is_err());
        writer.await.unwrap();
    }
}
