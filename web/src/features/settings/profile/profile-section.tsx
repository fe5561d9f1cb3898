import { useProfile } from '../../../api/account.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { EmailForm } from './email-form.tsx'
import { NameForm } from './name-form.tsx'
import { Picture } from './picture.tsx'

export const ProfileSection = () => {
  const query = useProfile()
  return (
    <Page title="Profile" within="Settings" about="How you appear here, and the address you sign in with.">
      <Card id="name" title="Name">
        <Loaded query={query} lines={2}>
          {(profile) => <NameForm current={profile} />}
        </Loaded>
      </Card>
      <Card id="picture" title="Picture" about="A PNG, JPEG or WebP of 2 MB at most.">
        <Loaded query={query} lines={2}>
          {({ value }) => <Picture name={value.name} avatarUrl={value.avatarUrl} />}
        </Loaded>
      </Card>
      <Card id="email" title="E-mail" about="You sign in with it.">
        <Loaded query={query} lines={2}>
          {({ value }) => <EmailForm email={value.email} />}
        </Loaded>
      </Card>
    </Page>
  )
}
