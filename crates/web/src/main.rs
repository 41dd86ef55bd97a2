//! The program one plays with. `boot.js` starts and stops it.

use locale::Part;

web::program!(texts: [Part::Table], pages: web::pages::playing);
