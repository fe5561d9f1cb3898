import { KeyRound, Trash2 } from 'lucide-react'
import * as common from '#locale/shared-texts'
import * as t from '#locale/stream'
import { AddButton, IconButton } from '../../ui/button.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { readText } from '../../ui/form-values.ts'
import { ListCard } from '../../ui/list-card.tsx'
import { FormPopover } from '../../ui/popover.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { Row } from '../../ui/rows.tsx'
import { useDates } from '../../ui/time.tsx'
import { type StreamActions, useCredentials } from './use-stream.ts'

export const CredentialsCard = ({ actions }: { actions: StreamActions }) => {
  const query = useCredentials()
  const { near, dateTime } = useDates()
  const save = async (values: FormData) => {
    const serverUrl = readText(values, 'serverUrl')
    await actions.saveKey(readText(values, 'platform').toLowerCase(), {
      streamKey: readText(values, 'streamKey'),
      ...(serverUrl !== '' && { serverUrl }),
    })
  }
  return (
    <ListCard
      title={t.streamKeys}
      about={t.streamKeysHelp}
      aside={
        <FormPopover
          align="end"
          trigger={<AddButton>{t.addKey}</AddButton>}
          title={t.addStreamKey}
          about={t.addStreamKeyHelp}
          action={common.save}
          onSubmit={save}
        >
          <TextField
            name="platform"
            label={t.platform}
            hint={t.platformExample}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="none"
            required
          />
          <PasswordField name="streamKey" label={t.streamKey} autoComplete="off" />
          <TextField
            name="serverUrl"
            label={t.serverUrl}
            hint={t.serverUrlExample}
            maxLength={500}
            autoComplete="off"
          />
        </FormPopover>
      }
      query={query}
      itemsOf={({ credentials }) => credentials}
      empty={{ icon: KeyRound, title: t.noKeys, about: t.noKeysHelp }}
      label={t.streamKeys}
    >
      {({ platform, hint, serverUrl, updatedAt }) => (
        <Row
          key={platform}
          title={platform}
          actions={
            <FormPopover
              align="end"
              trigger={<IconButton icon={Trash2} label={t.deleteKey(platform)} />}
              title={t.confirmDeleteKey(platform)}
              about={t.cannotBeUndone}
              action={common.remove}
              danger
              onSubmit={async () => void (await actions.deleteKey(platform))}
            />
          }
        >
          <p className="row-notes">
            <code>{hint}</code>
            {serverUrl !== null && <span>{serverUrl}</span>}
            <span>
              <RichText
                text={t.savedAt(near(updatedAt))}
                tags={{
                  time: (text) => (
                    <time dateTime={updatedAt} title={dateTime(updatedAt)}>
                      {text}
                    </time>
                  ),
                }}
              />
            </span>
          </p>
        </Row>
      )}
    </ListCard>
  )
}
