/** Removes managedFields from an object, or from the items of a list. */
export function withoutManagedFields(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object;
  const { metadata, items } = object as { metadata?: Record<string, unknown>; items?: unknown };
  const hasFields = metadata !== undefined && metadata !== null && 'managedFields' in metadata;
  if (!hasFields && !Array.isArray(items)) return object;
  const copy: Record<string, unknown> = { ...(object as object) };
  if (hasFields) {
    const { managedFields: _managedFields, ...kept } = metadata;
    copy['metadata'] = kept;
  }
  if (Array.isArray(items)) copy['items'] = items.map(withoutManagedFields);
  return copy;
}
