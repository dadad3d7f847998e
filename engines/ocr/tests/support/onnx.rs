//! Tiny ONNX models with the signatures of PP-OCR's, so that the whole way through ONNX Runtime is tested without files that must be fetched:
//! a detector that takes all colour for text, and a recogniser that tells characters by their colour.

/// A message in the encoding of Protocol Buffers.
#[derive(Default, Clone)]
struct WireMessage(Vec<u8>);

impl WireMessage {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(mut self, field: u64, value: i64) -> Self {
        self.varint(field << 3);
        self.varint(value as u64);
        self
    }

    fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    fn text(self, field: u64, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    fn message(self, field: u64, value: &Self) -> Self {
        self.bytes(field, &value.0)
    }
}

fn new() -> WireMessage {
    WireMessage::default()
}

/// A `NodeProto`.
fn node(kind: &str, inputs: &[&str], output: &str, attributes: &[WireMessage]) -> WireMessage {
    let node = inputs.iter().fold(new(), |node, input| node.text(1, input)).text(2, output).text(4, kind);
    attributes.iter().fold(node, |node, attribute| node.message(5, attribute))
}

/// An `AttributeProto` of whole numbers.
fn list(name: &str, values: &[i64]) -> WireMessage {
    values.iter().fold(new().text(1, name), |attribute, value| attribute.number(8, *value)).number(20, 7)
}

fn whole(name: &str, value: i64) -> WireMessage {
    new().text(1, name).number(3, value).number(20, 2)
}

/// A `TensorProto` of floats.
fn tensor(name: &str, shape: &[i64], values: &[f32]) -> WireMessage {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    shape.iter().fold(new(), |tensor, length| tensor.number(1, *length)).number(2, 1).text(8, name).bytes(9, &raw)
}

/// A `ValueInfoProto` of floats; -1 is any length.
fn value(name: &str, shape: &[i64]) -> WireMessage {
    let dimension = |length: &i64| if *length < 0 { new().text(2, "any") } else { new().number(1, *length) };
    let shape = shape.iter().fold(new(), |all, length| all.message(1, &dimension(length)));
    new().text(1, name).message(2, &new().message(1, &new().number(1, 1).message(2, &shape)))
}

/// A `ModelProto` of operator set 11.
fn model(
    nodes: &[WireMessage],
    weights: &[WireMessage],
    input: &WireMessage,
    output: &WireMessage,
    metadata: &[(&str, &str)],
) -> Vec<u8> {
    let graph = nodes.iter().fold(new(), |graph, node| graph.message(1, node)).text(2, "tiny");
    let graph = weights.iter().fold(graph, |graph, weight| graph.message(5, weight));
    let graph = graph.message(11, input).message(12, output);
    let model = new().number(1, 7).message(7, &graph).message(8, &new().text(1, "").number(2, 11));
    metadata.iter().fold(model, |model, (key, value)| model.message(14, &new().text(1, key).text(2, value))).0
}

/// A detector: text is where a channel is dark, and up to 24 pixels beside it.
pub fn detector() -> Vec<u8> {
    let nodes = [
        node("ReduceMin", &["x"], "dark", &[list("axes", &[1]), whole("keepdims", 1)]),
        node("Neg", &["dark"], "text", &[]),
        node("MaxPool", &["text"], "wide", &[list("kernel_shape", &[1, 49]), list("pads", &[0, 24, 0, 24])]),
        node("Mul", &["wide", "steep"], "sure", &[]),
        node("Sigmoid", &["sure"], "map", &[]),
    ];
    let shape = |channels| [-1, channels, -1, -1];
    model(&nodes, &[tensor("steep", &[1], &[20.0])], &value("x", &shape(3)), &value("map", &shape(1)), &[])
}

/// A recogniser with a dictionary, lines of 48 pixels and a step for 8 of them, like PP-OCR's from version 3. A stripe of one of these colours,
/// whose channels are all 0 or 255, is the character that stands at that position in the dictionary.
pub fn recogniser(dictionary: &[String], colours: &[([u8; 3], usize)]) -> Vec<u8> {
    // Class 0 is the blank, the last one the space.
    let classes = dictionary.len() + 2;
    let mut weights = vec![0.0; 3 * classes];
    let mut bias = vec![-1000.0; classes];
    let mut add = |class: usize, centre: [f32; 3]| {
        // Nearest centre: 2 c·x − c², for an x that is negated and in the order blue, green, red.
        for (channel, value) in centre.iter().rev().enumerate() {
            weights[3 * class + channel] = -20.0 * value;
        }
        bias[class] = -10.0 * centre.iter().map(|value| value * value).sum::<f32>();
    };
    // White, and the grey of the padding.
    add(0, [0.6; 3]);
    for (colour, at) in colours {
        add(at + 1, colour.map(|value| f32::from(value) / 127.5 - 1.0));
    }
    let length = classes as i64;
    let nodes = [
        node("Neg", &["x"], "dark", &[]),
        node("MaxPool", &["dark"], "steps", &[list("kernel_shape", &[48, 8]), list("strides", &[48, 8])]),
        node("Conv", &["steps", "weights", "bias"], "scores", &[list("kernel_shape", &[1, 1])]),
        node("Squeeze", &["scores"], "flat", &[list("axes", &[2])]),
        node("Transpose", &["flat"], "rows", &[list("perm", &[0, 2, 1])]),
        node("Softmax", &["rows"], "softmax", &[whole("axis", 2)]),
    ];
    let weights = [tensor("weights", &[length, 3, 1, 1], &weights), tensor("bias", &[length], &bias)];
    let metadata = [("character", dictionary.join("\n"))];
    let metadata: Vec<(&str, &str)> = metadata.iter().map(|(key, value)| (*key, value.as_str())).collect();
    model(&nodes, &weights, &value("x", &[-1, 3, 48, -1]), &value("softmax", &[-1, -1, length]), &metadata)
}
