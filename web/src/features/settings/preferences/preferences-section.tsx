import { usePreferences } from '../../../api/account.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { DatesForm } from './dates-form.tsx'
import { HoursForm } from './hours-form.tsx'

export const PreferencesSection = () => {
  const query = usePreferences()
  return (
    <Page title="Preferences" within="Settings" about="How your days and dates are laid out.">
      <Card id="dates" title="Dates and times">
        <Loaded query={query} lines={6}>
          {(preferences) => <DatesForm current={preferences} />}
        </Loaded>
      </Card>
      <Card
        id="hours"
        title="Working hours"
        about="By the clock on your wall. A day may have several, or none."
      >
        <Loaded query={query} lines={8}>
          {(preferences) => <HoursForm current={preferences} />}
        </Loaded>
      </Card>
    </Page>
  )
}
