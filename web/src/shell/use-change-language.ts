import { language } from '#locale/language'
import * as t from '#locale/shell'
import { useAccountChanged, usePreferences } from '../api/account.ts'
import { unwrap } from '../api/client.ts'
import { useServices } from '../api/context.tsx'
import { describeError } from '../api/problem.ts'
import { type Language, switchLanguage, toLocaleIn } from '../locales/languages.ts'
import { useNotify } from '../ui/toast.tsx'

/** Saves the language of the account and reloads the console in it. */
export const useChangeLanguage = () => {
  const { client, unsavedInput } = useServices()
  const changed = useAccountChanged()
  const notify = useNotify()
  const locale = usePreferences().data?.value.locale ?? language
  return async (wanted: Language): Promise<void> => {
    if (wanted === language) return
    try {
      const body = { locale: toLocaleIn(wanted, locale) }
      await unwrap(client.PATCH('/api/settings/preferences', { body }))
    } catch (error) {
      notify(describeError(error), { failed: true })
      return
    }
    // A reload would discard the input.
    if (unsavedInput.in(document)) {
      notify(t.languageSaved)
      await changed()
    } else switchLanguage(wanted)
  }
}
