//! The program one plays with others with. `boot.js` starts and stops it.

use locale::Part;

web::program!(texts: [Part::Table, Part::Online], pages: web::online::meeting);
