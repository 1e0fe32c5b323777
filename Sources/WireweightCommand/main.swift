print("wireweight")
