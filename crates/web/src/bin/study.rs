//! The program one analyses with. `boot.js` starts and stops it.

use locale::Part;

web::program!(texts: [Part::Table, Part::Study], pages: web::pages::studying);
