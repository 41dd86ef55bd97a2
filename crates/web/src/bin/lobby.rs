//! The program one finds others to play with. `boot.js` starts and stops it.

use locale::Part;

web::program!(texts: [Part::Table, Part::Online], pages: web::online::gathering);
