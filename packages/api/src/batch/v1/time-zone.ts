/** Whether the zone database has a name. Letters' cases matter to the original, and not to Intl. */
export function hasTimeZone(name: string): boolean {
  if (name === '' || name === 'UTC' || name === 'Local') return true;
  try {
    const found = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return found === name || found.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
