//! Keys and tensors of the llama architecture, common to all models here.

use std::io;

use super::WeightFormat;
use super::vocabulary::GgufVocabulary;
use super::writer::{Gguf, GgufValue, Tensor, TensorFill};

/// Sizes of a model.
#[derive(Clone, Copy)]
pub(super) struct GgufSizes {
    pub embedding: usize,
    pub layers: usize,
    pub heads: usize,
    pub kv_heads: usize,
    pub feed_forward: usize,
    pub context: u32,
}

impl GgufSizes {
    /// # Errors
    /// Sizes that are impossible for the architecture.
    pub fn check(&self, weights: WeightFormat) -> io::Result<()> {
        let sides = [self.embedding, self.layers, self.heads, self.kv_heads, self.feed_forward];
        let wrong = if sides.contains(&0) {
            Some("no size may be 0")
        } else if !self.embedding.is_multiple_of(2 * self.heads) {
            Some("the embedding must be an even multiple of the heads")
        } else if !self.heads.is_multiple_of(self.kv_heads) {
            Some("the heads must be a multiple of those of keys and values")
        } else if weights == WeightFormat::Q8_0
            && [self.embedding, self.feed_forward].iter().any(|side| !side.is_multiple_of(32))
        {
            Some("sizes must be multiples of 32 for these weights")
        } else {
            None
        };
        wrong.map_or(Ok(()), |wrong| Err(io::Error::new(io::ErrorKind::InvalidInput, wrong)))
    }
}

/// A file without embeddings, output and blocks.
pub(super) fn file(name: &str, sizes: GgufSizes, vocabulary: GgufVocabulary, chat_template: Option<&str>) -> Gguf {
    let number = |side: usize| GgufValue::U32(u32::try_from(side).unwrap_or(u32::MAX));
    let mut keys: Vec<(String, GgufValue)> = vec![
        ("general.architecture".into(), GgufValue::Text("llama".into())),
        ("general.name".into(), GgufValue::Text(name.into())),
        ("llama.context_length".into(), GgufValue::U32(sizes.context)),
        ("llama.embedding_length".into(), number(sizes.embedding)),
        ("llama.block_count".into(), number(sizes.layers)),
        ("llama.feed_forward_length".into(), number(sizes.feed_forward)),
        ("llama.attention.head_count".into(), number(sizes.heads)),
        ("llama.attention.head_count_kv".into(), number(sizes.kv_heads)),
        ("llama.attention.layer_norm_rms_epsilon".into(), GgufValue::F32(1e-5)),
        ("llama.rope.dimension_count".into(), number(sizes.embedding / sizes.heads)),
        ("llama.vocab_size".into(), number(vocabulary.len())),
    ];
    keys.extend(vocabulary.keys());
    if let Some(template) = chat_template {
        keys.push(("tokenizer.chat_template".into(), GgufValue::Text(template.into())));
    }
    Gguf { keys, tensors: vec![norm("output_norm.weight".into(), sizes.embedding)] }
}

fn norm(name: String, columns: usize) -> Tensor {
    Tensor { name, columns, rows: None, weights: WeightFormat::F32, fill: TensorFill::Constant(1.0) }
}

/// The tensors of one block; `fill` receives the number of columns of each matrix.
pub(super) fn block(
    sizes: GgufSizes,
    layer: usize,
    weights: WeightFormat,
    mut fill: impl FnMut(usize) -> TensorFill,
) -> Vec<Tensor> {
    let kv = sizes.embedding / sizes.heads * sizes.kv_heads;
    let mut tensors = vec![
        norm(format!("blk.{layer}.attn_norm.weight"), sizes.embedding),
        norm(format!("blk.{layer}.ffn_norm.weight"), sizes.embedding),
    ];
    for (name, columns, rows) in [
        ("attn_q", sizes.embedding, sizes.embedding),
        ("attn_k", sizes.embedding, kv),
        ("attn_v", sizes.embedding, kv),
        ("attn_output", sizes.embedding, sizes.embedding),
        ("ffn_gate", sizes.embedding, sizes.feed_forward),
        ("ffn_up", sizes.embedding, sizes.feed_forward),
        ("ffn_down", sizes.feed_forward, sizes.embedding),
    ] {
        let name = format!("blk.{layer}.{name}.weight");
        tensors.push(Tensor { name, columns, rows: Some(rows), weights, fill: fill(columns) });
    }
    tensors
}
