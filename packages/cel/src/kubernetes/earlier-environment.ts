/** The environment of expressions in earlier versions of Kubernetes. */
import type { Environment } from '../environment.ts';
import { listsLibrary } from '../library/lists.ts';

/** The minor version of Kubernetes that introduced the newest library. */
export const newestLibrary = 34;

const names = [
  ...listsLibrary.functions.map(({ name }) => name),
  ...(listsLibrary.macros ?? []).map((macro) => macro.name),
].filter((name) => /^\w/.test(name));
const mentionsNewest = new RegExp(`\\b(?:${names.map((name) => name.replace('.', '\\.')).join('|')})\\b`);

/** The environment without the newest library; undefined if that makes no difference for the text. */
export const earlierEnvironment = (environment: Environment, text: string): Environment | undefined =>
  mentionsNewest.test(text) ? environment.without([listsLibrary]) : undefined;
