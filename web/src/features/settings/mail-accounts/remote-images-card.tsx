import * as t from '#locale/account-settings'
import { sections } from '#locale/settings'
import { usePreferences } from '../../../api/account.ts'
import type { Versioned } from '../../../api/client.ts'
import { Card } from '../../../ui/card.tsx'
import { AreaField, SelectField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { VersionedForm } from '../../../ui/versioned-form.tsx'
import { type Preferences, usePreferencesForm } from '../preferences/save-preferences.ts'

const { label } = sections['mail-accounts'].cards.images

const parseSenders = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== '')

const RemoteImagesForm = ({ current }: { current: Versioned<Preferences> }) => {
  const editing = usePreferencesForm({
    current,
    part: ({ remoteImages, imageSenders }) => ({ remoteImages, imageSenders }),
    toastText: t.preferencesSaved,
  })
  const { remoteImages, imageSenders } = editing.base
  const save = (values: FormData) =>
    editing.save({
      remoteImages: String(values.get('remoteImages')) as Preferences['remoteImages'],
      imageSenders: parseSenders(String(values.get('imageSenders') ?? '')),
    })
  return (
    <VersionedForm
      editing={editing}
      label={label}
      describeSaved={(saved) => t.savedImageSendersAre(saved.imageSenders)}
      onSubmit={save}
    >
      <SelectField name="remoteImages" label={t.loadRemoteImages} defaultValue={remoteImages}>
        <option value="ask">{t.remoteImageChoices.ask}</option>
        <option value="never">{t.remoteImageChoices.never}</option>
      </SelectField>
      <AreaField
        name="imageSenders"
        label={t.imageSenders}
        hint={t.imageSendersHint}
        defaultValue={imageSenders.join('\n')}
        rows={Math.min(8, Math.max(2, imageSenders.length + 1))}
      />
    </VersionedForm>
  )
}

/** Whether remote images of emails may load, and the senders whose images always load. */
export const RemoteImagesCard = () => (
  <Card id="images" title={label} about={t.remoteImagesAbout}>
    <Loaded query={usePreferences()} lines={4}>
      {(preferences) => <RemoteImagesForm current={preferences} />}
    </Loaded>
  </Card>
)
