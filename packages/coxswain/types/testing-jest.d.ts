/** `import 'coxswain/testing/jest'`: the global `expect` of jest has the matchers, and the compiler knows. */
import type { ClusterMatchers } from './testing-matchers.d.ts';

declare global {
  namespace jest {
    // oxlint-disable-next-line no-unused-vars -- as jest's types declare it
    interface Matchers<R, T = {}> extends ClusterMatchers {}
  }
}
