// Builds the console once per language. Every text is a constant in its build, so a page loads one language
// and no translation code. Files without texts have the same content hash in both builds.
import { build } from 'vite'

for (const language of ['en', 'de'])
  await build({ mode: language, build: { emptyOutDir: language === 'en' } })
