//! What is known about an element besides its facts and its text. Fetched in one batch, so that each question is asked
//! once.

use atspi::zbus::zvariant::OwnedObjectPath;
use atspi::{RelationType, Role as Native};
use futures_util::future::{join, join_all, join3, join4};
use luna_messages::pick::Role;

use super::ancestor_path::Ancestor;
use super::attributes::Attributes;
use super::beside;
use super::cached_element::CachedElement;
use super::mnemonic;
use super::node::{ACCESSIBLE, Interfaces, LinuxNode, NodeFacts};
use super::reading::OBJECT_REPLACEMENT;
use super::role;

/// Maximum number of related elements whose texts are joined: a field may have a label and a unit.
pub(super) const MAX_RELATED: usize = 3;
const MAX_LABEL_CHARACTERS: i32 = 400;
/// Maximum number of parts of a combo box among which to look for its field.
const MAX_PARTS: usize = 4;

/// What is known about an element. Of a protected one, fetched only to tell which field it is.
#[derive(Debug, Clone, Default)]
pub(super) struct Details {
    pub(super) name: String,
    pub(super) description: String,
    /// The id that the application gives it; empty if there is none.
    pub(super) automation_id: String,
    pub(super) attributes: Attributes,
    pub(super) interfaces: Interfaces,
    pub(super) relations: Relations,
    /// What another element says of it, as [`Details::label_of`] tells; empty until that was asked for.
    pub(super) label: String,
}

/// The elements that belong to an element in another way than as parent or child.
#[derive(Debug, Clone, Default)]
pub(super) struct Relations(Vec<(u32, Vec<(String, OwnedObjectPath)>)>);

impl Relations {
    /// The elements in this relation to `node`.
    pub(super) fn of(&self, node: &LinuxNode, kind: RelationType) -> Vec<LinuxNode> {
        let targets = self.0.iter().filter(|(number, _)| *number == kind as u32).flat_map(|(_, targets)| targets);
        targets.filter_map(|target| node.at(target.clone())).collect()
    }
}

/// The name of a label, else its own text: what is embedded in it may be the field that it labels.
async fn label_text(label: &LinuxNode) -> String {
    let (name, native, states) = join3(label.name(), label.native(), label.states()).await;
    let name = name.unwrap_or_default();
    let (Ok(native), Ok(states)) = (native, states) else { return String::new() };
    if label.app.guard.blocked().contains(role::luna_role(native, states.is_editable())) {
        return String::new();
    }
    if !name.trim().is_empty() || native == Native::PasswordText || states.is_editable() {
        return name;
    }
    if !label.interfaces().await.unwrap_or_default().has("Text") {
        return String::new();
    }
    let count = label.character_count().await.unwrap_or(0).clamp(0, MAX_LABEL_CHARACTERS);
    let text = if count > 0 { label.text(0, count).await.unwrap_or_default() } else { String::new() };
    text.replace(OBJECT_REPLACEMENT, " ")
}

/// A label as it is told: without a colon at its end. Pure.
pub(super) fn tidy_label(label: &str) -> &str {
    label.trim().trim_end_matches([':', '：']).trim_end()
}

impl Details {
    /// The label of the element, whose facts are `facts`, if its name is none: the text of the elements that label it,
    /// else that of the label beside it. `parent`: its parent, if it is known.
    pub(super) async fn label_of(&self, node: &LinuxNode, facts: &NodeFacts, parent: Option<&Ancestor>) -> String {
        let mut labels = self.relations.of(node, RelationType::LabelledBy);
        labels.retain(|label| label != node);
        let group = group_among(&labels, node).await;
        labels.retain(|label| Some(label) != group.as_ref());
        let mut label = joined(&labels).await;
        // The name of GTK 3's combo boxes is what is chosen.
        let is_nameless =
            self.name.trim().is_empty() || facts.role == Role::ComboBox && !self.attributes.is_named_explicitly();
        if label.is_empty() && is_nameless {
            label = tidy_label(&beside::label_beside(node, facts, parent).await).to_owned();
        }
        if label.is_empty() {
            label = joined(group.as_slice()).await;
        }
        label
    }
}

/// The group around `node` if it is among its labels. Qt names a group box as the label of each control in it, also of
/// those with a label of their own beside them.
async fn group_among(labels: &[LinuxNode], node: &LinuxNode) -> Option<LinuxNode> {
    let parent = if labels.is_empty() { None } else { node.parent().await.ok().flatten() };
    let around = parent.filter(|parent| labels.contains(parent))?;
    // The label of a web page may contain its field.
    let is_group = matches!(around.native().await.ok()?, Native::Panel | Native::Grouping);
    is_group.then_some(around)
}

/// The texts of the labels.
async fn joined(labels: &[LinuxNode]) -> String {
    let texts = join_all(labels.iter().take(MAX_RELATED).map(label_text)).await;
    let texts: Vec<&str> = texts.iter().map(|text| tidy_label(text)).filter(|text| !text.is_empty()).collect();
    texts.join(" ")
}

/// The description of the field in a combo box in which one can type: Qt tells only there what is to be typed.
async fn hint_inside(combo: &LinuxNode) -> String {
    let Ok(children) = combo.first_children(MAX_PARTS).await else { return String::new() };
    let facts = join_all(children.iter().map(LinuxNode::facts)).await;
    let is_field = |facts: &NodeFacts| facts.is_field() && facts.role.general() != Role::Protected;
    let field = children.iter().zip(facts).find(|(_, facts)| facts.as_ref().is_ok_and(is_field));
    match field {
        Some((field, _)) => field.property(ACCESSIBLE, "Description").await.unwrap_or_default(),
        None => String::new(),
    }
}

impl LinuxNode {
    /// Everything that is known about the element, whose facts are `facts`.
    pub(super) async fn details(&self, facts: &NodeFacts) -> Details {
        let cached = facts.cached.as_deref();
        let is_plain = cached.is_some_and(CachedElement::is_plain);
        let attributes = async { if is_plain { Attributes::default() } else { self.attributes().await } };
        let (id, texts) = (self.automation_id(cached), self.texts(cached));
        // Of others, nothing that is said depends on a relation.
        let is_related = facts.is_field()
            || facts.role.has_content()
            || matches!(facts.role, Role::Dialog | Role::Alert)
            || matches!(facts.role.general(), Role::CheckBox | Role::RadioButton | Role::Button | Role::Protected);
        let is_related = is_related && !is_plain;
        let relations = async { if is_related { self.relations().await } else { Relations::default() } };
        let ((name, description, interfaces), id, attributes, relations) =
            join4(texts, id, attributes, relations).await;
        let mut name = mnemonic::without(name, facts.native);
        // GTK 4 tells the type of an element that neither its author nor a label names.
        let is_labelled = !relations.of(self, RelationType::LabelledBy).is_empty();
        if self.app.local && is_related && !is_labelled && role::is_type_name(&name) {
            name.clear();
        }
        let mut description = description;
        if facts.native == Native::ComboBox && name.trim().is_empty() && description.trim().is_empty() {
            description = hint_inside(self).await;
        }
        let id = if id.is_empty() { attributes.get("id").to_owned() } else { id };
        Details { name, description, automation_id: id, attributes, interfaces, relations, label: String::new() }
    }

    /// Name, description and interfaces, as far as they were told already.
    async fn texts(&self, cached: Option<&CachedElement>) -> (String, String, Interfaces) {
        if let Some(cached) = cached {
            return (cached.name.clone(), cached.description.clone(), cached.interfaces.clone());
        }
        let description = self.property::<String>(ACCESSIBLE, "Description");
        let (name, description, interfaces) = join3(self.name(), description, self.interfaces()).await;
        (name.unwrap_or_default(), description.unwrap_or_default(), interfaces.unwrap_or_default())
    }

    /// The relations; none if the application refuses to tell them.
    pub(super) async fn relations(&self) -> Relations {
        Relations(self.call(ACCESSIBLE, "GetRelationSet", &()).await.unwrap_or_default())
    }

    /// The attributes; empty if there are none.
    pub(super) async fn attributes(&self) -> Attributes {
        Attributes::new(self.call(ACCESSIBLE, "GetAttributes", &()).await.unwrap_or_default())
    }

    /// Name and interfaces only, for elements of which nothing but the text is read.
    pub(super) async fn brief_details(&self) -> Details {
        let (name, interfaces) = join(self.name(), self.interfaces()).await;
        let (name, interfaces) = (name.unwrap_or_default(), interfaces.unwrap_or_default());
        Details { name, interfaces, ..Details::default() }
    }
}
