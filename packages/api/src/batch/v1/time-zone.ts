/** Whether the time zone database has a name. Upstream is case-sensitive, unlike Intl. */
export function hasTimeZone(name: string): boolean {
  if (name === '' || name === 'UTC' || name === 'Local') return true;
  try {
    const found = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return found === name || found.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
