/** `import 'coxswain/testing/jest'`: adds the matchers to jest's global `expect`, with their types. */
import type { ClusterMatchers } from './testing-matchers.d.ts';

declare global {
  namespace jest {
    // oxlint-disable-next-line no-unused-vars -- as jest's types declare it
    interface Matchers<R, T = {}> extends ClusterMatchers {}
  }
}
