//! What the derive generates, and what it refuses.

use super::*;

fn expanded(text: &str) -> Result<String> {
    // Compared without blanks, because proc-macro2's spacing may change.
    expand(&syn::parse_str(text)?).map(|tokens| tokens.to_string().replace(' ', ""))
}

/// Checks that expansion fails with a message that contains `expect`.
fn refuses(text: &str, expect: &str) {
    let why = expanded(text).expect_err(text).to_string();
    assert!(why.contains(expect), "{text}\n  says: {why}\n  not: {expect}");
}

/// Checks that the generated code contains each part, ignoring blanks.
#[track_caller]
fn makes(text: &str, expect: &[&str]) {
    let made = expanded(text).expect(text);
    for part in expect {
        assert!(made.contains(&part.replace(' ', "")), "{part} is not in {made}");
    }
}

#[test]
fn a_lane_is_said_and_is_a_constant_ker_3() {
    refuses("enum M { A }", "say the lane of `A`: #[message(lane = Lane::Uia)]");
    refuses("#[message(lane = Lane::Uia)] enum M { #[message(lane = self.lane)] A }", "a lane is a constant");
    refuses("#[message(lane = Lane::of(2))] enum M { A }", "a lane is a constant");
    refuses("#[message(lane = \"uia\")] enum M { A }", "a lane is a constant");
    refuses("#[message(lane)] enum M { A }", "expected `=`");
}

#[test]
fn a_message_is_a_plain_enum() {
    refuses("struct M { lane: u8 }", "a message is an enum");
    refuses("union M { a: u8 }", "a message is an enum");
    refuses("#[message(lane = L)] enum M<T> { A(T) }", "a message has no generics");
    refuses("#[message(lane = L)] enum M<'a> { A(&'a str) }", "a message has no generics");
    refuses("#[message(lane = L)] enum M {}", "a message has at least one variant");
}

#[test]
fn what_is_unknown_doubled_or_misplaced_is_refused() {
    let variant = |says: &str, expect: &str| {
        refuses(&format!("#[message(lane = L)] enum M {{ #[message({says})] A(u8), B {{ x: u8 }} }}"), expect);
    };
    variant("lanes = L", "unknown key `lanes`; there are lane, kind, coalesce");
    variant("coalesce, coalesce", "`coalesce` is said twice");
    variant("retry = 1, retry = 2", "`retry` is said twice");
    variant("coalesce, drop_oldest", "`coalesce` and `drop_oldest` exclude each other");
    variant("coalesce = true", "expected `,`");
    variant("coalesce retry = 1", "expected `,`");
    refuses("#[message(lane = L)] enum M { #[message(retry = 1)] #[message(retry = 1)] A }", "`retry` is said twice");
    refuses("#[message(coalesce)] enum M { A }", "`coalesce` belongs to a variant; an enum has only `lane`");
    refuses("#[message(lane = L)] enum M { A { #[message(coalesce)] x: u8 } }", "not to a field");
    refuses("#[message] enum M { A }", "expected attribute arguments");
}

#[test]
fn a_kind_is_a_label() {
    for word in ["", "Pick", "end pick", "1st", "_a", "집"] {
        refuses(&format!("#[message(lane = L)] enum M {{ #[message(kind = \"{word}\")] A }}"), "a kind is a word");
    }
    refuses("#[message(lane = L)] enum M { #[message(kind = pick)] A }", "expected string literal");
}

#[test]
fn retries_are_counted_and_know_what_they_repeat_ker_7() {
    let variant = |says: &str, expect: &str| {
        refuses(&format!("#[message(lane = L)] enum M {{ #[message({says})] A(u8), B {{ x: u8 }} }}"), expect);
    };
    variant("retry = 0", "a number from 1 on");
    variant("retry = often", "a number from 1 on");
    variant("retry = \"always\"", "a number from 1 on");
    variant("retry = class", "`A`: `retry = class` needs `class_of`");
    variant("class_of = 1", "`A` has no field `1`");
    variant("class_of = x", "`A` has no field `x`");
    variant("class_of = 0, coalesce", "`A`: the class says what happens when the lane is full");
    variant("retry_as = A(0)", "`A`: `retry_as` needs `retry`");
    variant("retry = 1, retry_as = C(0)", "there is no variant `C`");
    variant("retry = 1, retry_as = A(y)", "`A` has no field `y`");
    variant("retry = 1, retry_as = A(0, 0)", "`A` is no tuple of 2 fields");
    variant("retry = 1, retry_as = B(0)", "`B` is no tuple of 1 fields");
    variant("retry = 1, retry_as = B", "write `retry_as = Variant(field, …)`");
}

#[test]
fn a_variant_has_the_lane_of_its_enum_or_its_own_and_the_kind_of_its_name_ker_3() {
    makes(
        "#[message(lane = Lane::Llm)] enum M { TextToRead(T), #[message(lane = OTHER, kind = \"end\")] Cancel { id: Id }, Tick }",
        &[
            "impl ::luna_messages::Message for M",
            "Self::TextToRead { .. } => Lane::Llm, Self::Cancel { .. } => OTHER, Self::Tick { .. } => Lane::Llm,",
            "Self::TextToRead { .. } => \"text_to_read\", Self::Cancel { .. } => \"end\", Self::Tick { .. } => \"tick\",",
        ],
    );
}

#[test]
fn what_is_not_said_is_the_default_of_the_trait() {
    let made = expanded("#[message(lane = L)] enum M { A }").unwrap();
    for method in ["overflow", "retry", "survives_restart"] {
        assert!(!made.contains(method), "{method} in {made}");
    }
}

#[test]
fn overflow_retries_and_survival_are_said_for_each_variant_ker_4_ker_7() {
    makes(
        "#[message(lane = L)] enum M {
            #[message(coalesce)] Tick,
            #[message(drop_oldest, retry = 2)] Stop(u8, u8),
            #[message(retry = always, survives_restart)] Release { lease: Lease, r#type: u8 },
            #[message(class_of = 0)] Heard(Sound),
        }",
        &[
            "Self::Tick { .. } => ::luna_messages::Overflow::Coalesce,",
            "Self::Stop { .. } => ::luna_messages::Overflow::DropOldest,",
            "Self::Release { .. } => ::luna_messages::Overflow::Refuse,",
            "Self::Heard { 0: class, .. } => ::luna_messages::MessageClass::overflow(class),",
            "Self::Heard { 0: class, .. } => ::luna_messages::MessageClass::kind(class),",
            "Self::Tick { .. } => ::core::option::Option::None,",
            "Self::Stop { 0: field_0, 1: field_1, .. } if attempt <= 2u32 => ::core::option::Option::Some(Self::Stop {",
            "0: ::core::clone::Clone::clone(field_0), 1: ::core::clone::Clone::clone(field_1), }),",
            "Self::Stop { .. } => ::core::option::Option::None,",
            "Self::Release { lease: field_lease, r#type: field_type, .. } => ::core::option::Option::Some(Self::Release {",
            "Self::Stop { .. } => false, Self::Release { .. } => true,",
        ],
    );
}

#[test]
fn what_is_retried_instead_takes_some_fields_along_ker_7() {
    makes(
        "#[message(lane = L)] enum M {
            #[message(class_of = 0, retry = class)] Command(Command),
            #[message(class_of = command, retry = class, retry_as = Command(command))] Ask { command: Command, reply: Reply },
        }",
        &[
            "Self::Ask { command: field_command, .. } if attempt <= ::luna_messages::MessageClass::retries(field_command)",
            "=> ::core::option::Option::Some(Self::Command { 0: ::core::clone::Clone::clone(field_command), })",
        ],
    );
}
