//! Many words at once: which of them begin at a place.

use super::normalised::fold;

/// A tree of words, letter by letter. Each word may carry several values.
#[derive(Debug, Clone)]
pub struct Trie<T> {
    nodes: Vec<TrieNode<T>>,
}

#[derive(Debug, Clone)]
struct TrieNode<T> {
    /// Sorted by letter.
    children: Vec<(char, u32)>,
    values: Vec<T>,
    /// Whether a phrase has a space here.
    border: bool,
}

impl<T> Default for TrieNode<T> {
    fn default() -> Self {
        Self { children: Vec::new(), values: Vec::new(), border: false }
    }
}

impl<T> Default for Trie<T> {
    fn default() -> Self {
        Self { nodes: vec![TrieNode::default()] }
    }
}

impl<T> Trie<T> {
    /// If all words begin.
    pub const ROOT: u32 = 0;

    /// Adds a phrase as it is compared: lower case, only letters and digits, words apart by spaces.
    pub fn insert(&mut self, phrase: &str, value: T) {
        let mut node = Self::ROOT;
        for c in phrase.chars() {
            if c == ' ' {
                if let Some(here) = self.nodes.get_mut(node as usize) {
                    here.border = true;
                }
            } else {
                node = self.child_or_new(node, fold(c));
            }
        }
        if node != Self::ROOT
            && let Some(here) = self.nodes.get_mut(node as usize)
        {
            here.values.push(value);
        }
    }

    fn child_or_new(&mut self, node: u32, c: char) -> u32 {
        let next = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let Some(here) = self.nodes.get_mut(node as usize) else { return Self::ROOT };
        match here.children.binary_search_by_key(&c, |child| child.0) {
            Ok(i) => here.children.get(i).map_or(Self::ROOT, |child| child.1),
            Err(i) => {
                here.children.insert(i, (c, next));
                self.nodes.push(TrieNode::default());
                next
            }
        }
    }

    /// The node one letter further.
    #[must_use]
    pub fn step(&self, node: u32, c: char) -> Option<u32> {
        let children = &self.nodes.get(node as usize)?.children;
        let i = children.binary_search_by_key(&c, |child| child.0).ok()?;
        children.get(i).map(|child| child.1)
    }

    /// The values of the words that end at a node.
    #[must_use]
    pub fn values(&self, node: u32) -> &[T] {
        self.nodes.get(node as usize).map_or(&[], |node| &node.values)
    }

    /// Whether a phrase has a space at a node.
    #[must_use]
    pub fn border(&self, node: u32) -> bool {
        self.nodes.get(node as usize).is_some_and(|node| node.border)
    }

    /// Tells of each word that begins at `at`: where it ends, and its values. Shorter ones first.
    // Inlined for its closure: called instead, it costs understanding 6 % more instructions.
    #[inline]
    pub fn at<'a>(&'a self, cells: &[char], at: usize, mut tell: impl FnMut(usize, &'a T)) {
        let mut node = Self::ROOT;
        for (i, c) in cells.iter().enumerate().skip(at) {
            let Some(next) = self.step(node, *c) else { return };
            node = next;
            for value in self.values(node) {
                tell(i + 1, value);
            }
        }
    }

    /// The longest word that begins at `at`: where it ends, and its first value.
    #[must_use]
    pub fn longest(&self, cells: &[char], at: usize) -> Option<(usize, &T)> {
        let mut found = None;
        self.at(cells, at, |end, value| {
            if found.is_none_or(|(last, _)| end > last) {
                found = Some((end, value));
            }
        });
        found
    }

    /// The longest word that fills the cells from some place to exactly `to`, not before `from`: where it begins, and its first value.
    #[must_use]
    pub fn ending_at(&self, cells: &[char], from: usize, to: usize) -> Option<(usize, &T)> {
        const LONGEST: usize = 24;
        let cells = cells.get(..to)?;
        (from.max(to.saturating_sub(LONGEST))..to).find_map(|start| {
            let (end, value) = self.longest(cells, start)?;
            (end == to).then_some((start, value))
        })
    }

    /// Takes away the values of exactly this word.
    pub fn clear(&mut self, cells: &[char]) {
        let node = cells.iter().try_fold(Self::ROOT, |node, c| self.step(node, *c));
        if let Some(here) = node.and_then(|node| self.nodes.get_mut(node as usize)) {
            here.values.clear();
        }
    }

    /// The value of exactly this word.
    #[must_use]
    pub fn get(&self, cells: &[char]) -> Option<&T> {
        let mut node = Self::ROOT;
        for c in cells {
            node = self.step(node, *c)?;
        }
        self.values(node).first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // NLU-2
    #[test]
    fn words_are_found_where_they_are_nlu_2() {
        let mut trie = Trie::default();
        for (i, word) in ["맨 위", "맨 위로", "위", ""].iter().enumerate() {
            trie.insert(word, i);
        }
        let cells: Vec<char> = "맨위로가".chars().map(fold).collect();
        let mut found = Vec::new();
        trie.at(&cells, 0, |end, value| found.push((end, *value)));
        assert_eq!(found, [(2, 0), (3, 1)]);
        assert_eq!(trie.longest(&cells, 1), Some((2, &2)));
        assert_eq!(trie.ending_at(&cells, 0, 2), Some((0, &0)));
        assert_eq!(trie.ending_at(&cells, 1, 2), Some((1, &2)));
        assert_eq!(trie.ending_at(&cells, 0, 4), None);
        assert_eq!((trie.get(&cells[..3]), trie.get(&cells)), (Some(&1), None));
        assert!(trie.border(trie.step(0, fold('맨')).unwrap_or_default()));
    }
}
