import { useEffect } from 'react'
import { usePreferences } from '../api/account.ts'
import { useServices } from '../api/context.tsx'
import { followAccountLanguage } from '../locales/languages.ts'

/** Shows the console in the language of the account. Waits while the page has unsaved input. */
export const useAccountLanguage = (): void => {
  const { unsavedInput } = useServices()
  const locale = usePreferences().data?.value.locale
  useEffect(() => {
    if (locale !== undefined && !unsavedInput.in(document)) followAccountLanguage(locale)
  }, [locale, unsavedInput])
}
