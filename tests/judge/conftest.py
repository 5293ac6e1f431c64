from hypothesis import settings

# Nothing hangs on how fast the machine is.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
