import { checkQualifiedName, goQuote, type ObjectMeta } from '@coxswain/apimachinery';

const standardFinalizers = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** Warnings about the finalizers that a write adds. */
export function finalizerWarnings(metadata: ObjectMeta, old: ObjectMeta | undefined): readonly string[] {
  const before = new Set(old?.finalizers);
  const added = new Set(metadata.finalizers?.filter((name) => !before.has(name)));
  return [...added].sort().flatMap(warningsOf);
}

function warningsOf(name: string): readonly string[] {
  const reported = (text: string): string => `metadata.finalizers: ${goQuote(name)}: ${text}`;
  const messages = checkQualifiedName(name).map(reported);
  if (name.includes('/') || standardFinalizers.includes(name)) return messages;
  const path = name.includes('.') ? ' including a path (/)' : '';
  return [
    ...messages,
    reported(
      `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
    ),
  ];
}
