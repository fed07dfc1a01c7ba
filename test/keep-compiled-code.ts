/** Set up in every worker of the tests: Node keeps what it compiles, so that the next worker and the next run need not. */

import module from 'node:module';

module.enableCompileCache();
