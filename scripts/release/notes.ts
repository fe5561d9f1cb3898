/** Finds the section of a version in a changelog (Keep a Changelog). A development version has the unreleased changes. */
const findSection = (changelog: string, version: string): { date: string; body: string } => {
  const sections = changelog.split(/^## /m)
  const isDevelopment = version.endsWith('-dev')
  const section = sections.find((each) => each.startsWith(isDevelopment ? '[Unreleased]' : `[${version}]`))
  // The newest release precedes the unreleased changes.
  const dated = isDevelopment ? sections.find((each) => each.startsWith('[') && each !== section) : section
  const [, date] = /^\[.+\] - (\d{4}-\d{2}-\d{2})\n/.exec(dated ?? '') ?? []
  if (section === undefined || date === undefined)
    throw new Error(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD". Add it before the release.`)
  const body = section.slice(section.indexOf('\n') + 1).replace(/^\[.+\]: .+$/gm, '')
  return { date, body: body.trim() }
}

export const readReleaseNotes = (changelog: string, version: string): string => {
  const { date, body } = findSection(changelog, version)
  return `# Factotum ${version} (${date})\n\n${body}\n`
}

/** Seconds since 1970 at the start of the day of the release. */
export const readReleaseDate = (changelog: string, version: string): number =>
  Date.parse(`${findSection(changelog, version).date}T00:00:00Z`) / 1000
