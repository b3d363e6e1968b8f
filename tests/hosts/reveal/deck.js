// Where one is in the deck stands in the address, so that a reload comes back to the slide.
"use strict";

Reveal.initialize({ hash: true });
