"""Instructions: a story in the words of the person who asks for it."""
