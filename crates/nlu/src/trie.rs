//! Many words at once: which of them begin at a place.

use super::normalised::fold;

/// No node, no value.
const NONE: u32 = u32::MAX;

/// A tree of words, letter by letter. Each word may carry several values.
#[derive(Debug, Clone)]
pub struct Trie<T> {
    nodes: Vec<TrieNode>,
    /// Each with the next one of the same word.
    values: Vec<(T, u32)>,
    ways: Ways,
}

#[derive(Debug, Clone)]
struct TrieNode {
    /// The first value of the word that ends here.
    value: u32,
    /// Whether a phrase has a space here.
    border: bool,
}

/// Which letter leads from which node where: one table for all, as most nodes lead on by one letter and the first one by a thousand.
#[derive(Debug, Clone, Default)]
struct Ways {
    /// Node and letter; 0 where the table is empty.
    keys: Vec<u64>,
    nodes: Vec<u32>,
    count: usize,
}

impl Ways {
    const fn key(node: u32, c: char) -> u64 {
        ((node as u64) << 21 | c as u64) + 1
    }

    /// Where a key is, or would be.
    #[inline]
    fn place(&self, key: u64) -> Option<usize> {
        // Nodes that were added one after the other stand near to each other: words are added in their order, and memory is slow. Only the first
        // node has more letters than fit there.
        let (node, mixed) = ((key - 1) >> 21, key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let hash = if node == 0 { mixed >> 32 } else { node + node / 2 + (mixed >> 55) };
        let mask = self.keys.len().checked_sub(1)?;
        let mut at = usize::try_from(hash).ok()? & mask;
        loop {
            match self.keys.get(at) {
                Some(known) if *known != key && *known != 0 => at = (at + 1) & mask,
                Some(_) => return Some(at),
                None => return None,
            }
        }
    }

    #[inline]
    fn get(&self, node: u32, c: char) -> Option<u32> {
        let key = Self::key(node, c);
        let at = self.place(key)?;
        self.nodes.get(at).copied().filter(|_| self.keys.get(at) == Some(&key))
    }

    fn insert(&mut self, key: u64, node: u32) {
        // At most two thirds are full, so that a search soon meets an empty place.
        if self.count * 3 >= self.keys.len() * 2 {
            let larger = (self.keys.len() * 2).max(16);
            let keys = std::mem::replace(&mut self.keys, vec![0; larger]);
            let nodes = std::mem::replace(&mut self.nodes, vec![0; larger]);
            self.count = 0;
            keys.into_iter().zip(nodes).filter(|(key, _)| *key != 0).for_each(|(key, node)| self.insert(key, node));
        }
        if let Some(at) = self.place(key)
            && let (Some(place), Some(to)) = (self.keys.get_mut(at), self.nodes.get_mut(at))
        {
            (*place, *to) = (key, node);
            self.count += 1;
        }
    }
}

impl<T> Default for Trie<T> {
    fn default() -> Self {
        Self { nodes: vec![TrieNode { value: NONE, border: false }], values: Vec::new(), ways: Ways::default() }
    }
}

impl<T> Trie<T> {
    /// Where all words begin.
    pub const ROOT: u32 = 0;

    /// Adds a phrase as it is compared: lower case, only letters and digits, words apart by spaces.
    pub fn insert(&mut self, phrase: &str, value: T) {
        self.insert_cells(phrase.chars().map(fold), value);
    }

    /// The same for letters that are folded already.
    pub fn insert_cells(&mut self, phrase: impl Iterator<Item = char>, value: T) {
        let mut node = Self::ROOT;
        for c in phrase {
            if c == ' ' {
                if let Some(here) = self.nodes.get_mut(node as usize) {
                    here.border = true;
                }
            } else {
                node = self.child_or_new(node, c);
            }
        }
        if node != Self::ROOT {
            self.add_value(node, value);
        }
    }

    fn add_value(&mut self, node: u32, value: T) {
        let new = u32::try_from(self.values.len()).unwrap_or(NONE);
        let Some(here) = self.nodes.get_mut(node as usize) else { return };
        if here.value == NONE {
            here.value = new;
        } else {
            let mut at = here.value;
            while let Some((_, next)) = self.values.get_mut(at as usize) {
                if *next == NONE {
                    *next = new;
                    break;
                }
                at = *next;
            }
        }
        self.values.push((value, NONE));
    }

    fn child_or_new(&mut self, node: u32, c: char) -> u32 {
        self.ways.get(node, c).unwrap_or_else(|| {
            let next = u32::try_from(self.nodes.len()).unwrap_or(NONE);
            self.nodes.push(TrieNode { value: NONE, border: false });
            self.ways.insert(Ways::key(node, c), next);
            next
        })
    }

    /// The node one letter further.
    #[must_use]
    #[inline]
    pub fn step(&self, node: u32, c: char) -> Option<u32> {
        self.ways.get(node, c)
    }

    /// The values of the words that end at a node, in the order in which they were added.
    #[inline]
    pub fn values(&self, node: u32) -> impl Iterator<Item = &T> {
        let first = self.nodes.get(node as usize).map_or(NONE, |node| node.value);
        let value = |at: u32| self.values.get(at as usize);
        std::iter::successors(value(first), move |(_, next)| value(*next)).map(|(value, _)| value)
    }

    /// Whether a phrase has a space at a node.
    #[must_use]
    #[inline]
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

    /// Takes away the values of exactly this word.
    pub fn clear(&mut self, cells: &[char]) {
        let node = cells.iter().try_fold(Self::ROOT, |node, c| self.step(node, *c));
        if let Some(here) = node.and_then(|node| self.nodes.get_mut(node as usize)) {
            here.value = NONE;
        }
    }

    /// The value of exactly this word.
    #[must_use]
    pub fn get(&self, cells: &[char]) -> Option<&T> {
        let mut node = Self::ROOT;
        for c in cells {
            node = self.step(node, *c)?;
        }
        self.values(node).next()
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
        assert_eq!((trie.get(&cells[..3]), trie.get(&cells)), (Some(&1), None));
        trie.clear(&cells[..3]);
        assert_eq!((trie.get(&cells[..3]), trie.get(&cells[..2])), (None, Some(&0)));
        assert!(trie.border(trie.step(0, fold('맨')).unwrap_or_default()));
    }
}
