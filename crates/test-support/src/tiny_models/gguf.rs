//! Tiny language models that the real llama.cpp loads: GGUF files of the llama architecture.
//!
//! [`RandomLlm`] has random weights of any size: garbage in content, real in shape and cost. [`ScriptedLlm`] says what it was told to
//! say, whatever the prompt. Both have a byte-level vocabulary, so that Korean characters lie across the borders of tokens, and
//! carry a chat template with the marks that it needs.

mod half;
mod model;
mod random;
mod scripted;
mod vocabulary;
mod writer;

pub use random::RandomLlm;
pub use scripted::{ScriptedLlm, Thinking};

/// A chat template in the manner of `ChatML`, without thinking.
pub const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + \
'<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// As [`CHATML`]; a caller may switch thinking off by `enable_thinking`, and the answer then begins after an empty thought.
pub const CHATML_SWITCHED_THINKING: &str = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + \
message['content'] + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}\
{% if enable_thinking is defined and enable_thinking is false %}{{ '<think>\n\n</think>\n\n' }}{% endif %}{% endif %}";

/// As [`CHATML`]; the template itself opens the thought, whatever the caller wants.
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
    /// Blocks of 32 bytes with a scale each; rows must be multiples of 32.
    Q8_0,
}
