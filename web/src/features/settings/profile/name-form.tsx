import { useAccountChanged } from '../../../api/account.ts'
import { ifMatch, type Shape, unwrapVersion, type Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useVersionedForm } from '../use-versioned-form.ts'

export const NameForm = ({ current }: { current: Versioned<Shape<'Me'>> }) => {
  const client = useClient()
  const changed = useAccountChanged()
  const notify = useNotify()
  const editing = useVersionedForm({
    current,
    part: ({ name }: Shape<'Me'>) => ({ name }),
    read: () => unwrapVersion(client.GET('/api/settings/profile')),
    send: async (body, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/profile', { body, headers: ifMatch(etag) }),
      )
      await changed()
      notify('Your name is saved.')
      return saved
    },
  })
  return (
    <Form
      key={editing.generation}
      label="Name"
      onTouch={editing.touch}
      onSubmit={async (values) => void (await editing.save({ name: String(values.get('name')).trim() }))}
    >
      {editing.conflict && (
        <ChangedElsewhere
          theirs={`Your name there is “${editing.conflict.theirs.value.name}”.`}
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <TextField
        name="name"
        label="Your name"
        autoComplete="name"
        maxLength={200}
        defaultValue={editing.base.name}
        required
      />
      <div className="form-actions">
        <Submit>Save name</Submit>
      </div>
    </Form>
  )
}
