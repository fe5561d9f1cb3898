// `npm run site`: builds the documentation site from docs/ into site/dist, if it is missing or out of date.
import { explain } from '../bin/launcher/refusal.mjs'
import { prepare } from '../bin/launcher.mjs'

try {
  await prepare({ packages: 'production', web: false, site: true })
} catch (error) {
  await explain(error)
}
