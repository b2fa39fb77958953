"""What tests of queries need: a clock to move, a notation for traces, sources made of lists."""
