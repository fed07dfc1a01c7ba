/** What every expression in Kubernetes can use. */

import { Environment } from '../environment.ts';
import { standardLibrary } from '../library/standard.ts';

export const baseEnvironment = new Environment({ libraries: [standardLibrary] });
