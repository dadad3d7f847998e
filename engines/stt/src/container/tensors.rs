//! The tensors of a Whisper model: names, dimensions and encoding.

use std::collections::HashSet;

use super::reader::ContainerReader;
use super::{Flaw, Sizes};

/// Upper bound of a tensor's name, bytes.
const LONGEST_NAME: u32 = 64;
/// Version of the quantised formats.
const QUANTISED: u32 = 2;

/// The encoding of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TensorEncoding {
    /// Code of the encoding in a tensor's description.
    tensor: u32,
    /// Numbers per block.
    block: u64,
    /// Bytes per block.
    bytes: u64,
}

const F32: TensorEncoding = TensorEncoding { tensor: 0, block: 1, bytes: 4 };
const F16: TensorEncoding = TensorEncoding { tensor: 1, block: 1, bytes: 2 };

/// The code in a file's header, and the matrix encoding that it means.
const ENCODINGS: [(u32, TensorEncoding); 12] = [
    (0, F32),
    (1, F16),
    (2, TensorEncoding { tensor: 2, block: 32, bytes: 18 }),
    (3, TensorEncoding { tensor: 3, block: 32, bytes: 20 }),
    (7, TensorEncoding { tensor: 8, block: 32, bytes: 34 }),
    (8, TensorEncoding { tensor: 6, block: 32, bytes: 22 }),
    (9, TensorEncoding { tensor: 7, block: 32, bytes: 24 }),
    (10, TensorEncoding { tensor: 10, block: 256, bytes: 84 }),
    (11, TensorEncoding { tensor: 11, block: 256, bytes: 110 }),
    (12, TensorEncoding { tensor: 12, block: 256, bytes: 144 }),
    (13, TensorEncoding { tensor: 13, block: 256, bytes: 176 }),
    (14, TensorEncoding { tensor: 14, block: 256, bytes: 210 }),
];

impl TensorEncoding {
    /// The encoding of a file's matrices; `None` if it is unknown.
    pub fn of_file(number: u32) -> Option<Self> {
        let (version, number) = (number / 1000, number % 1000);
        let known = ENCODINGS.iter().find(|(known, _)| *known == number).map(|(_, store)| *store)?;
        (known.block == 1 || version == QUANTISED).then_some(known)
    }

    fn size(self, dimensions: &[u64]) -> Option<u64> {
        let row = *dimensions.first()?;
        let rest: u64 = dimensions[1..].iter().product();
        (row % self.block == 0).then(|| row / self.block * self.bytes * rest)
    }
}

/// Validates the descriptions of all tensors to the end of the file.
pub(super) fn examine(reader: &mut ContainerReader, sizes: &Sizes) -> Result<(), Flaw> {
    const PLACE: &str = "the description of a tensor";
    let mut found = HashSet::new();
    while !reader.is_at_end() {
        let (dimensions, name_length, stored) = (reader.u32(PLACE)?, reader.u32(PLACE)?, reader.u32(PLACE)?);
        let unnamed = |what| Flaw::Tensor { name: format!("number {}", found.len() + 1), what };
        if !(1..=3).contains(&dimensions) {
            return Err(unnamed("has an impossible number of dimensions"));
        }
        if name_length > LONGEST_NAME {
            return Err(unnamed("has a name that is too long"));
        }
        let dimensions: Vec<u64> =
            (0..dimensions).map(|_| reader.u32(PLACE).map(u64::from)).collect::<Result<_, _>>()?;
        let name = String::from_utf8_lossy(&reader.bytes(name_length as usize, PLACE)?).into_owned();
        let bad = |what| Flaw::Tensor { name: name.clone(), what };
        let (expected, store) =
            expected(&name, sizes).ok_or_else(|| bad("does not belong into a model of its sizes"))?;
        if dimensions != expected {
            return Err(bad("has other dimensions than its model"));
        }
        if stored != store.tensor {
            return Err(bad("is stored in another way than its model"));
        }
        let bytes = store.size(&dimensions).ok_or_else(|| bad("is too narrow for the way that it is stored"))?;
        reader.skip(bytes, &format!("the tensor {name}"))?;
        if !found.insert(name.clone()) {
            return Err(bad("comes twice"));
        }
    }
    let expected = 11 + 15 * sizes.audio_layers as usize + 24 * sizes.text_layers as usize;
    match found.len() {
        0 => Err(Flaw::NoWeights),
        found if found != expected => Err(Flaw::Incomplete { found, expected }),
        _ => Ok(()),
    }
}

/// The dimensions of a tensor, fastest-varying first, and its encoding.
fn expected(name: &str, sizes: &Sizes) -> Option<(Vec<u64>, TensorEncoding)> {
    let matrix = TensorEncoding::of_file(sizes.stored)?;
    let convolution = if matrix == F32 { F32 } else { F16 };
    let width = u64::from(sizes.audio_state);
    let (audio, text) = (u64::from(sizes.audio_ctx), u64::from(sizes.text_ctx));
    Some(match name {
        "encoder.positional_embedding" => (vec![width, audio], F32),
        "encoder.conv1.weight" => (vec![3, u64::from(sizes.mels), width], convolution),
        "encoder.conv2.weight" => (vec![3, width, width], convolution),
        "encoder.conv1.bias" | "encoder.conv2.bias" => (vec![1, width], F32),
        "encoder.ln_post.weight" | "encoder.ln_post.bias" | "decoder.ln.weight" | "decoder.ln.bias" => {
            (vec![width], F32)
        }
        "decoder.positional_embedding" => (vec![width, text], F32),
        "decoder.token_embedding.weight" => (vec![width, u64::from(sizes.vocabulary)], matrix),
        _ => {
            let (rest, layers, crossed) = match name.strip_prefix("encoder.blocks.") {
                Some(rest) => (rest, sizes.audio_layers, false),
                None => (name.strip_prefix("decoder.blocks.")?, sizes.text_layers, true),
            };
            let (layer, part) = rest.split_once('.')?;
            let number: u32 = layer.parse().ok()?;
            if number >= layers || number.to_string() != layer {
                return None;
            }
            layer_tensor(part, width, crossed, matrix)?
        }
    })
}

/// A tensor of one layer; `crossed` if the layer also attends to the encoder.
fn layer_tensor(part: &str, width: u64, crossed: bool, matrix: TensorEncoding) -> Option<(Vec<u64>, TensorEncoding)> {
    let part = match part.strip_prefix("cross_") {
        Some(part) if crossed && part.starts_with("attn") => part,
        Some(_) => return None,
        None => part,
    };
    Some(match part {
        "mlp.0.weight" => (vec![width, 4 * width], matrix),
        "mlp.0.bias" => (vec![4 * width], F32),
        "mlp.2.weight" => (vec![4 * width, width], matrix),
        "attn.query.weight" | "attn.key.weight" | "attn.value.weight" | "attn.out.weight" => {
            (vec![width, width], matrix)
        }
        "mlp_ln.weight" | "mlp_ln.bias" | "mlp.2.bias" | "attn_ln.weight" | "attn_ln.bias" | "attn.query.bias"
        | "attn.value.bias" | "attn.out.bias" => (vec![width], F32),
        _ => return None,
    })
}
