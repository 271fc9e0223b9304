"""Unusual words on the command line. Most were found by fuzzing (docs/fuzzing.md)."""
from command import Command


class Words(Command):
    def test_an_empty_word_is_quoted(self):
        self.assert_refused("", says="'': unknown; accepted are info")
        self.assert_refused("streaming", "", says="'': one word too many for streaming")
