//! Tiny language models that the real llama.cpp loads: GGUF files of the llama architecture.
//!
//! [`RandomLlm`] has random weights of any size: meaningless output at realistic cost. [`ScriptedLlm`] gives a fixed text, whatever the prompt. Both
//! have a byte-level vocabulary, so that token boundaries split Korean characters, and a chat template with its special tokens.

mod half;
mod model;
mod random;
mod scripted;
mod vocabulary;
mod writer;

pub use random::RandomLlm;
pub use scripted::{ScriptedLlm, Thinking};

/// A ChatML template without thinking.
pub const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + \
'<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// As [`CHATML`], but a caller can turn thinking off with `enable_thinking`; the answer then begins after an empty thought.
pub const CHATML_SWITCHED_THINKING: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + \
message['content'] + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}\
{% if enable_thinking is defined and enable_thinking is false %}{{ '<think>\n\n</think>\n\n' }}{% endif %}{% endif %}";

/// As [`CHATML`], but the template always opens the thought.
pub const CHATML_OPENED_THINKING: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + \
message['content'] + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n<think>\n' }}\
{% endif %}";

/// How the large weights are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeightFormat {
    /// 32-bit floats.
    F32,
    /// 16-bit floats.
    F16,
    /// Blocks of 32 8-bit integers with a common scale; row lengths must be multiples of 32.
    Q8_0,
}
