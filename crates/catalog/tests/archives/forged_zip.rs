//! Zip files with headers that say what a test wants.

/// An entry with its two headers.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) local: Header,
    pub(super) central: Header,
    pub(super) data: Vec<u8>,
    pub(super) descriptor: Vec<u8>,
}

#[derive(Clone)]
pub(super) struct Header {
    pub(super) name: Vec<u8>,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) packed: u32,
    pub(super) size: u32,
    pub(super) mode: u32,
    pub(super) extra: Vec<u8>,
}

/// A zip file.
#[derive(Clone, Default)]
pub(super) struct Forged {
    pub(super) entries: Vec<Entry>,
    pub(super) before: Vec<u8>,
    pub(super) before_directory: Vec<u8>,
    pub(super) after: Vec<u8>,
    /// The number of entries that its end says, if not the true one.
    pub(super) count: Option<u16>,
}

impl Entry {
    pub(super) fn new(name: impl AsRef<[u8]>, data: impl AsRef<[u8]>) -> Self {
        let data = data.as_ref().to_vec();
        let mut crc = flate2::Crc::new();
        crc.update(&data);
        let size = u32::try_from(data.len()).expect("a short file");
        let header = Header {
            name: name.as_ref().to_vec(),
            flags: 0,
            method: 0,
            crc: crc.sum(),
            packed: size,
            size,
            mode: 0o100_644,
            extra: Vec::new(),
        };
        Self { local: header.clone(), central: header, data, descriptor: Vec::new() }
    }

    /// Changes both headers.
    pub(super) fn with(mut self, change: impl Fn(&mut Header)) -> Self {
        change(&mut self.local);
        change(&mut self.central);
        self
    }

    pub(super) fn deflated(mut self) -> Self {
        use std::io::Write;
        let level = flate2::Compression::best();
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
        encoder.write_all(&self.data).expect("memory");
        self.data = encoder.finish().expect("memory");
        let packed = u32::try_from(self.data.len()).expect("a short file");
        self.with(|header| (header.method, header.packed) = (8, packed))
    }
}

impl Header {
    /// What both kinds of headers have in common.
    fn common(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for short in [20, self.flags, self.method, 0, 33] {
            bytes.extend(short.to_le_bytes());
        }
        for long in [self.crc, self.packed, self.size] {
            bytes.extend(long.to_le_bytes());
        }
        for length in [self.name.len(), self.extra.len()] {
            bytes.extend(u16::try_from(length).expect("a short name").to_le_bytes());
        }
        bytes
    }
}

impl Forged {
    pub(super) fn of(entries: impl IntoIterator<Item = Entry>) -> Self {
        Self { entries: entries.into_iter().collect(), ..Self::default() }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let (mut bytes, mut directory) = (self.before.clone(), Vec::new());
        for Entry { local, central, data, descriptor } in &self.entries {
            let offset = u32::try_from(bytes.len()).expect("a short file");
            bytes.extend(b"PK\x03\x04");
            bytes.extend(local.common());
            for part in [&local.name, &local.extra, data, descriptor] {
                bytes.extend(part);
            }
            directory.extend(b"PK\x01\x02\x14\x03");
            directory.extend(central.common());
            directory.extend([0; 6]);
            directory.extend((central.mode << 16).to_le_bytes());
            directory.extend(offset.to_le_bytes());
            directory.extend(&central.name);
            directory.extend(&central.extra);
        }
        bytes.extend(&self.before_directory);
        let offset = u32::try_from(bytes.len()).expect("a short file");
        let size = u32::try_from(directory.len()).expect("a short file");
        let count = u16::try_from(self.entries.len()).expect("few entries");
        let count = self.count.unwrap_or(count).to_le_bytes();
        bytes.extend(directory);
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend(count);
        bytes.extend(count);
        bytes.extend(size.to_le_bytes());
        bytes.extend(offset.to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(&self.after);
        bytes
    }
}
